import { QueryText } from "@pro-talent/schemas/analysts/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { HeldSource } from "../../held.ts";
import { readSealed } from "../../kernel/streams.ts";
import { analystQueryEvents } from "./queries.ts";

type Row = { query_id: string; ran_at: Date };

/** What a person asked as an analyst, as far as the texts are kept. */
export const queriesHeld: HeldSource = {
  section: "queries",
  collect: async function heldQueries({ ledger: { sql }, subjects }, { accountId }) {
    const rows = await sql<Row[]>`
      select query_id, ran_at from ledger.analyst_query
       where analyst_id = ${accountId} order by ran_at`;
    return await Promise.all(
      rows.map(async ({ query_id: id, ran_at: ranAt }) => {
        const stream = analystQueryEvents.streamOf(id);
        const sealed = await readSealed(sql, stream, "AnalystQueryRun");
        const subject = sealed && (await subjects.find(sealed.keyId));
        const text = sealed && subject?.open(sealed.bytes, QueryText).text;
        return [
          ...(text === undefined ? [] : [{ field: "request" as const, text }]),
          { field: "created-at" as const, at: instantFromMs(ranAt.getTime()) },
        ];
      }),
    );
  },
};
