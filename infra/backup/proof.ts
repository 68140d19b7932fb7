import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { BackupProof } from "@pro-talent/schemas/privacy/backup-proof";
import {
  backupHorizonPurpose,
  keyStoreBackupDays,
} from "@pro-talent/schemas/privacy/erasure-journal";
import { z } from "zod";

import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { backupLogPurpose, openBackupLog } from "./manifest.ts";
import type { BackupSettings } from "./settings.ts";
import { dayMs } from "./take.ts";

/**
 * Shows for a deletion which sets and ranges could hold what it erased, and the state of their keys.
 * @param adminUrl of the ledger; without it the begin of the erasure counts as its end
 * @throws OperatorError when the journal does not name the request
 */
export async function proofOf(
  settings: BackupSettings,
  requestId: string,
  adminUrl: string | undefined,
): Promise<BackupProof> {
  const { directory, signingKey, keys, clock, journalKeyId } = settings;
  const entry = (await settings.journal.lines()).find(
    ({ record }) => record.requestId === requestId,
  );
  if (entry === undefined) throw new OperatorError(`The erasure journal names no ${requestId}.`);
  const ended = adminUrl === undefined ? undefined : await erasedAtOf(adminUrl, requestId);
  const erasedAt = ended ?? entry.record.erasedAt;
  const log = await openBackupLog(directory, signingKey).lines();
  const known = new Set((await keys.epochs()).map(({ id }) => id));
  const horizon = await settings.horizon.lines();
  const copies = log
    .filter(({ record }) => record.done === "made" && record.madeAt <= erasedAt)
    .map(({ record: { set: copy, madeAt, epoch } }) => {
      const purged = log.find(({ record }) => record.done === "purged" && record.set === copy);
      const whereKeyIs = purged === undefined ? ("missing" as const) : ("destroyed" as const);
      return {
        copy,
        kind: copy.startsWith("wal-") ? ("write-ahead log" as const) : ("set" as const),
        madeAt,
        epoch,
        key: known.has(epoch) ? ("openable" as const) : whereKeyIs,
        destroyedAt: purged?.record.at ?? null,
      };
    });
  const aged = horizon.find(({ record }) => record.oldestRestorableAt > erasedAt)?.record.checkedAt;
  const isOpen = copies.some(({ key }) => key === "openable");
  const agedAt =
    isOpen || aged === undefined ? null : instantPlus(aged, keyStoreBackupDays * dayMs);
  const named = new Set(copies.map(({ copy }) => copy));
  const ofCopies = log.filter(({ record }) => named.has(record.set));
  return BackupProof.parse({
    requestId,
    checkedAt: instantFromMs(clock()),
    journal: { entry: entry.number, sha256: entry.sha256 },
    erasedAt,
    isErased: ended !== undefined,
    copies,
    oldestRestorableAt: horizon.at(-1)?.record.oldestRestorableAt ?? erasedAt,
    agedAt,
    log: {
      keyId: signingKey.id,
      purpose: backupLogPurpose,
      lines: ofCopies.map(({ text }) => text),
    },
    horizon: {
      keyId: journalKeyId,
      purpose: backupHorizonPurpose,
      lines: horizon.filter(({ record }) => record.checkedAt >= erasedAt).map(({ text }) => text),
    },
  });
}

const Scanned = z.array(z.object({ at: Instant }));

/** When the ledger recorded that nothing was found any more. */
async function erasedAtOf(adminUrl: string, requestId: string): Promise<Instant | undefined> {
  const sql = connect(adminUrl, DATABASE);
  try {
    const rows = await sql<object[]>`
      select to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from ledger.event where stream = ${`privacy-${requestId}`} and type = 'ScanClean'
       order by pos desc limit 1`;
    return Scanned.parse(rows)[0]?.at;
  } finally {
    await sql.end();
  }
}
