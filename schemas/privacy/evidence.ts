import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { BackupEvidence } from "./erasure-journal.ts";
import { StepName } from "./events.ts";
import { outcomes, partReasons, publicStatuses, RequestType } from "./request.ts";

/** Bound to each signature, so that no other signed document passes for it. */
export const evidencePurpose = "evidence pack";
export const certificatePurpose = "erasure certificate";

const Hash = z.hash("sha256");
const EventRef = { version: z.int().positive(), position: z.int().positive(), at: Instant };

/** The clocks of a request, each with the reason of its date as a word that pages explain. */
export const clockNames = [
  "identity",
  "due",
  "erase",
  "erase-waived",
  "backups",
  "hold-review",
  "package",
] as const;

/** What was found in a store, and what was left when its step was recorded. */
const StoreResult = z.object({
  store: StepName,
  /** Null while its step is open. */
  found: z.int().nonnegative().nullable(),
  left: z.int().nonnegative().nullable(),
  failures: z.int().nonnegative(),
});

/**
 * What an officer or an auditor can show of one privacy request: everything that was recorded about it, and
 * nothing about the person. People are ids that lead to no person without the erased data.
 */
export const Evidence = z.object({
  requestId: Uuid,
  madeAt: Instant,
  type: RequestType,
  status: z.enum(publicStatuses),
  outcome: z.enum(outcomes).nullable(),
  partly: z.array(z.enum(partReasons)),
  /** Pseudonym of who asked; null where no account asked. */
  accountId: Uuid.nullable(),
  identity: z.object({ method: z.string(), at: Instant }).nullable(),
  clocks: z.array(z.object({ clock: z.enum(clockNames), endsAt: Instant })),
  /** Every event, with who brought it about and what it says. */
  events: z.array(
    z.object({ ...EventRef, type: z.string(), actor: z.string(), data: z.unknown() }),
  ),
  /** What officers decided: each on the version before it. */
  decisions: z.array(z.object({ ...EventRef, type: z.string(), officerId: Uuid })),
  stores: z.array(StoreResult),
  holds: z.array(
    z.object({
      holdId: Uuid,
      law: z.string(),
      placedAt: Instant,
      reviewAt: Instant,
      releasedAt: Instant.nullable(),
    }),
  ),
  notices: z.array(z.object({ notice: z.string(), result: z.string(), at: Instant })),
  scans: z.array(z.object({ at: Instant, found: z.boolean(), data: z.unknown() })),
  /** The entry of the journal outside the databases, and the hash of its line. */
  journal: z.object({ entry: z.int().positive(), sha256: Hash.nullable() }).nullable(),
  backups: z
    .object({
      oldestRestorableAt: Instant,
      recordedAt: Instant,
      proof: BackupEvidence.nullable(),
    })
    .nullable(),
  /** Whether that is not recorded although the time of backups is over. */
  backupsOverdue: z.boolean(),
  /** The record of processing activities: in force at the decision, and when the pack was made. */
  register: z.object({ atDecision: Hash.nullable(), now: Hash.nullable() }),
});
export type Evidence = z.infer<typeof Evidence>;

/**
 * An event as the ledger's hash chain has it: `hash` is the SHA-256 of the bytes of `previous` followed by
 * `fields`, joined by U+001F, as UTF-8. The first field is the position.
 */
export const ChainedEvent = z.object({
  previous: Hash,
  fields: z.array(z.string()).length(14),
  hash: Hash,
});
export type ChainedEvent = z.infer<typeof ChainedEvent>;

/** Why something is kept after a deletion, as the record of processing activities has it. */
const Kept = z.object({ asset: z.string(), law: z.string() });

/** What the subject of a deletion can show of it, without personal data. */
export const ErasureCertificate = z.object({
  requestId: Uuid,
  receivedAt: Instant,
  /** When the last scan found nothing in any live store. */
  erasedAt: Instant,
  stores: z.array(z.object({ store: StepName, found: z.int(), left: z.int() })),
  kept: z.array(Kept),
  backups: z.object({
    /** No backup that holds the data, and no copy of a key that opens one, is left after then. */
    goneBy: Instant,
    /** When that was recorded, and the oldest backup that could be restored then; null until it is. */
    goneAt: Instant.nullable(),
    oldestRestorableAt: Instant.nullable(),
    /** The time is over, and nothing is recorded: the promise is not shown to be kept. */
    overdue: z.boolean(),
    /** The keys that were destroyed: of each copy that could hold the data, and of epochs. */
    proof: BackupEvidence.nullable(),
    /** Days for which a copy of a destroyed key may be in a backup of its key store. */
    keyStoreDays: z.int(),
  }),
  /** The last event that it rests on: its place in the ledger, and the hash of the chain there. */
  position: z.int().positive(),
  hash: Hash,
  keyId: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ErasureCertificate = z.infer<typeof ErasureCertificate>;
