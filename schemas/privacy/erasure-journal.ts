import { z } from "zod";

import { Instant } from "../primitives/instant.ts";

/**
 * One erased subject, as a restore of an older backup must erase it again. Written to the erasure
 * journal, outside every database, before the first destructive step. Holds ids that the program
 * made at random and nothing else: without the erased data they lead to no person.
 */
export const JournalledErasure = z.strictObject({
  /** Of the privacy request; a repeated erasure has the same one. */
  requestId: z.uuid(),
  erasedAt: Instant,
  /** Subjects of the ledger, whose keys are destroyed and whose sealed data is dropped. */
  subjectIds: z.array(z.uuid()).max(10_000),
  /** The account with everything that belongs to it, if there is one. */
  accountId: z.uuid().nullable(),
  /** Pseudonyms of visitors, as ClickHouse has them, whose visits are deleted. */
  visitorIds: z.array(z.uuid()).max(10_000),
});
export type JournalledErasure = z.infer<typeof JournalledErasure>;

/** A set of backups, or a range of the archived write-ahead log, that opens with nothing any more. */
export const PurgedCopy = z.strictObject({
  copy: z.string().max(60),
  /** Nothing in it was older. */
  madeAt: Instant,
  /** The key of the key store of backups that alone opened it. */
  epoch: z.string().max(60),
  destroyedAt: Instant,
});
export type PurgedCopy = z.infer<typeof PurgedCopy>;

/**
 * What shows that nothing opens any more what was erased: the copies that could hold it, each with the key that
 * alone opened it, and the epochs under which keys of data subjects were wrapped meanwhile.
 */
export const BackupEvidence = z.object({
  /** Under which the backup program has signed what was purged; Ed25519, in hexadecimal. */
  keyId: z.hex().length(64),
  purged: z.array(PurgedCopy).max(20_000),
  /** Null while the key exists: other subjects are wrapped under it, and no row of the erased one is left. */
  epochKeys: z
    .array(z.object({ epoch: z.string().max(60), destroyedAt: Instant.nullable() }))
    .max(1_000),
});
export type BackupEvidence = z.infer<typeof BackupEvidence>;

/**
 * How old a backup can be that still opens, as the backup program found it. Written beside the journal
 * and signed under its key: a deletion is fulfilled when no backup holds the erased data any more.
 */
export const BackupHorizon = z.strictObject({
  /** Backups of before then do not open: their keys are destroyed. */
  oldestRestorableAt: Instant,
  checkedAt: Instant,
  /** What was purged since the line before; absent in lines of earlier versions. */
  purged: z.array(PurgedCopy).optional(),
});
export type BackupHorizon = z.infer<typeof BackupHorizon>;
export const backupHorizonPurpose = "backup horizon";
export const backupHorizonFile = "backup-horizon.jsonl";

/** Days for which a destroyed key may be in a backup of its key store (`infra/docs/runbooks/keys.md`). */
export const keyStoreBackupDays = 14;

/** What the lines of the journal are signed as. */
export const erasureJournalPurpose = "erasure journal";
