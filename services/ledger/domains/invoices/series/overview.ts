import type { Sql } from "@pro-talent/platform/postgres/pool";
import { DocumentKind } from "@pro-talent/schemas/invoices/document";
import { Day } from "@pro-talent/schemas/primitives/calendar";
import { z } from "zod";

import { issueTimer } from "../invoices.ts";

const newestMax = 100;
const missingMax = 20;

const Summary = z.object({
  series: z.string(),
  kind: DocumentKind,
  documents: z.int(),
  lastNumber: z.int(),
  missing: z.array(z.int()),
});
const Sum = z.object({ series: z.string(), currency: z.string(), total: z.int(), tax: z.int() });
const Newest = z.object({
  label: z.string(),
  kind: DocumentKind,
  issuedOn: Day,
  total: z.int(),
  currency: z.string(),
  tax: z.int(),
});

/** What bookkeeping needs of all documents, without names: sums, gaps, and the newest. */
export async function bookkeepingOverview(sql: Sql) {
  const [summaries, sums, newest, owed] = await Promise.all([
    sql`
      select series, min(kind) as kind, count(*)::int as documents, max(number) as "lastNumber",
             case when count(*) = max(number) then '{}' else array(
               select n from generate_series(1, max(number)) n
                where not exists (select from ledger.issued_document o
                  where o.series = d.series and o.number = n) limit ${missingMax}) end as missing
        from ledger.issued_document d group by series order by series`,
    sql`
      select series, currency, sum(total)::bigint as total, sum(tax)::bigint as tax
        from ledger.issued_document group by series, currency order by series, currency`,
    sql`
      select label, kind, issued_on as "issuedOn", total, currency, tax
        from ledger.issued_document order by pos desc limit ${newestMax}`,
    sql<{ owed: number }[]>`
      select count(*)::int as owed from ledger.due_timer where name = ${issueTimer} and fired_at is null`,
  ]);
  const totals = Map.groupBy(z.array(Sum).parse(sums), ({ series }) => series);
  return {
    series: z
      .array(Summary)
      .parse(summaries)
      .map((summary) => ({ ...summary, totals: totals.get(summary.series) ?? [] })),
    newest: z.array(Newest).parse(newest),
    owed: owed[0]?.owed ?? 0,
  };
}
