import { type LogLine, reaches } from "@pro-talent/platform/files/signed-log";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";
import { z } from "zod";

import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { openBackupLog } from "./manifest.ts";
import type { BackupSettings } from "./settings.ts";

type Lines = readonly LogLine<JournalledErasure>[];

/**
 * Every set and range records how far the erasure journal reached when it was made.
 * @throws OperatorError when the journal lacks lines, or has others, since: a restore would bring back
 * who was erased
 */
export async function requireWholeJournal(
  { directory, signingKey }: BackupSettings,
  journal: Lines,
): Promise<void> {
  for (const { set, journal: end } of await openBackupLog(directory, signingKey).read()) {
    if (end === undefined || reaches(journal, end)) continue;
    throw new OperatorError(
      `The erasure journal is not whole: when ${set} was made it had ${end.lines} lines, of which some are missing or others now. Bring it back from its copy. Nothing was changed.`,
    );
  }
}

const Written = z.array(
  z.object({
    requestId: z.uuid(),
    entry: z.coerce.number().int(),
    sha256: z.string().nullable(),
  }),
);

/** Entries that the restored ledger has a record of, and the journal does not. */
export async function missingFromJournal(adminUrl: string, journal: Lines): Promise<string[]> {
  const sql = connect(adminUrl, DATABASE);
  try {
    const rows = await sql<object[]>`
      select substring(stream from '^privacy-(.*)$') as "requestId",
             (data::json)->>'entry' as entry, (data::json)->>'sha256' as sha256
        from ledger.event where type = 'JournalWritten' order by pos`;
    return Written.parse(rows).flatMap(({ requestId, entry, sha256 }) => {
      const line = journal[entry - 1];
      const isThere = line?.record.requestId === requestId;
      if (isThere && (sha256 === null || sha256 === line.sha256)) return [];
      return [`the erasure journal lacks entry ${entry}, which the ledger records: it was cut`];
    });
  } finally {
    await sql.end();
  }
}
