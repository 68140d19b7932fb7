import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  queryChannels,
  queryFormats,
  queryOutcomes,
  QueryText,
} from "@pro-talent/schemas/analysts/events";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { HistoryEntry, type historyCalls } from "@pro-talent/schemas/analysts/work-calls";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { unavailable } from "../../kernel/http.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { analystQueryEvents } from "./queries.ts";

type Parts = Pick<LedgerContext, "ledger" | "subjects">;

/** What an analyst asked, for that analyst alone: it needs no record, as the reading of an officer does. */
export function historyHandlers(context: Parts): CallHandlers<typeof historyCalls> {
  return {
    "GET /api/console/analyst/work/history": async ({ query: { after } }, { account }) =>
      await historyOf(context, account.accountId, placeOf(after)).catch(unavailable),
  };
}

type Place = { readonly ranAt: Instant; readonly queryId: string };

/** @throws ProblemError `bad_request` for a text that is no place of a history */
function placeOf(after: string | undefined): Place | undefined {
  if (after === undefined) return undefined;
  const [ranAt, queryId] = after.split("_");
  const place = z.object({ ranAt: Instant, queryId: Uuid }).safeParse({ ranAt, queryId });
  if (!place.success) throw new ProblemError("bad_request");
  return place.data;
}

const Row = HistoryEntry.omit({ text: true, parameters: true }).extend({
  ranAt: z.date().transform((date) => instantFromMs(date.getTime())),
  channel: z.enum(queryChannels),
  format: z.enum(queryFormats),
  outcome: z.enum(queryOutcomes),
});

const pageSize = 50;

async function historyOf({ ledger: { sql }, subjects }: Parts, analystId: string, after?: Place) {
  const found = await sql<object[]>`
    select query_id as "queryId", ran_at as "ranAt", channel, format, outcome, problem, views,
           rows_read as "rowsRead", result_bytes as "resultBytes", milliseconds
      from ledger.analyst_query
     where analyst_id = ${analystId}
       and (${after?.ranAt ?? null}::timestamptz is null
            or (ran_at, query_id) < (${after?.ranAt ?? null}, ${after?.queryId ?? null}::uuid))
     order by ran_at desc, query_id desc limit ${pageSize + 1}`;
  const rows = z.array(Row).parse(found);
  const page = rows.slice(0, pageSize);
  const ids = page.map(({ queryId }) => queryId);
  const [sealed, keys] = await Promise.all([
    sql<{ keyId: string; bytes: Buffer }[]>`
      select key_id as "keyId", sealed as bytes from ledger.event
       where stream = any (${ids.map((id) => analystQueryEvents.streamOf(id))}::text[])
         and type = 'AnalystQueryRun' and sealed is not null`,
    subjects.findAll(ids),
  ]);
  const texts = new Map(
    sealed.flatMap(({ keyId, bytes }) => {
      const subject = keys.get(keyId);
      return subject ? [[keyId, subject.open(bytes, QueryText)] as const] : [];
    }),
  );
  const queries = page.map((row): HistoryEntry => {
    const known = texts.get(row.queryId);
    return { ...row, text: known?.text ?? null, parameters: known?.parameters ?? {} };
  });
  const last = rows.length > pageSize ? page.at(-1) : undefined;
  return { queries, next: last === undefined ? null : `${last.ranAt}_${last.queryId}` };
}
