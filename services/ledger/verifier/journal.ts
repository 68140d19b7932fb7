import type { LogLine } from "@pro-talent/platform/files/signed-log";
import type { Transaction } from "@pro-talent/platform/postgres/pool";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";
import { z } from "zod";

import type { Findings } from "./findings.ts";

const Written = z.object({ entry: z.int(), sha256: z.string().optional() });
const prefix = "privacy-";

/**
 * Every entry that the ledger has a record of is in the journal, as it was written: a journal whose last
 * lines were cut off is whole by its own signatures.
 */
export async function checkJournal(
  tx: Transaction,
  journal: readonly LogLine<JournalledErasure>[],
  findings: Findings,
): Promise<void> {
  const events = await tx<{ pos: string; stream: string; data: string }[]>`
    select pos, stream, data from ledger.event where type = 'JournalWritten' order by pos`;
  for (const { pos, stream, data } of events) {
    const { entry, sha256 } = Written.parse(JSON.parse(data));
    const line = journal[entry - 1];
    const isThere = prefix + (line?.record.requestId ?? "") === stream;
    if (isThere && (sha256 === undefined || sha256 === line?.sha256)) continue;
    findings.add("journal", Number(pos), `entry ${entry}`);
  }
}
