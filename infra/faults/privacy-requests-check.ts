import { readFile } from "node:fs/promises";

import type { Sql } from "@pro-talent/platform/postgres/pool";

type Asked = {
  readonly deletions: readonly string[];
  readonly copies: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** Events that a request has exactly once, however often its work was begun. */
const once = {
  deletions: ["EraseClaimed", "JournalWritten", "SuppressionConfirmed", "ScanClean"],
  copies: ["AccessApproved", "PackageSealed"],
} as const;

/** @returns what is wrong with the requests of a drill, in words */
export async function wrongRequests(
  owner: Sql,
  { deletions, copies, environment }: Asked,
): Promise<readonly string[]> {
  const journal = await readFile(environment["ERASURE_JOURNAL_FILE"] ?? "", "utf8");
  const wrong: string[] = [];
  const check = async (id: string, kind: keyof typeof once, status: string): Promise<void> => {
    const events = await owner<{ type: string; step: string | null; steps: string[] | null }[]>`
      select type, data::jsonb ->> 'step' as step,
             case when data::jsonb ? 'steps'
                  then array(select jsonb_array_elements_text(data::jsonb -> 'steps')) end as steps
        from ledger.event where stream = ${`privacy-${id}`} order by version`;
    const [row] = await owner<{ status: string }[]>`
      select status from ledger.privacy_request where request_id = ${id}`;
    if (row?.status !== status) wrong.push(`${id} is ${row?.status ?? "not there"}`);
    for (const type of once[kind])
      if (events.filter((event) => event.type === type).length !== 1)
        wrong.push(`${id} has not one ${type}`);
    const planned = events.flatMap(({ steps }) => steps ?? []);
    const done = events.flatMap(({ type, step }) => (type === "StepDone" ? [step ?? ""] : []));
    if (planned.toSorted().join() !== done.toSorted().join())
      wrong.push(`${id} has done ${done.join(" ")} of ${planned.join(" ")}`);
  };
  for (const id of deletions) {
    await check(id, "deletions", "erased");
    const entries = journal.split(id).length - 1;
    if (entries === 0) wrong.push(`${id} is not in the journal`);
    const [left] = await owner<{ keys: number }[]>`
      select count(*) as keys from ledger.event where key_id = ${id} and sealed is not null`;
    if (left?.keys !== 0) wrong.push(`what was sealed with ${id} is still there`);
  }
  for (const id of copies) await check(id, "copies", "ready");
  return wrong;
}
