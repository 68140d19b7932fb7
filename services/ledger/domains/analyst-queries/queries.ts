import {
  AnalystQueryEvent,
  queryChannels,
  queryFormats,
  queryOutcomes,
} from "@pro-talent/schemas/analysts/events";
import { z } from "zod";

import { type CommandContext, runCommand, type StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import type { LedgerContext, WorkerContext } from "../../kernel/module.ts";
import { column, optional, readModel, type RowOf } from "../../kernel/read-model.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import type { Timer, TimerHandlers } from "../../kernel/timers.ts";
import {
  type AnalystQueryCommand,
  analystQueryDecider,
  type AnalystQueryRefusal,
  type AnalystQueryState,
  textErasedAt,
} from "./decider.ts";

export const analystQueryEvents = defineEvents("analystquery", AnalystQueryEvent);

/** The text of each query is sealed under a key of its own, which is destroyed when its time is over. */
export const queryText: SubjectKind = "queries.text";

export const eraseTextTimer = "analyst-queries.erase-text";
export const destroyKeyTimer = "analyst-queries.destroy-key";

/** One query: `analystquery-<queryId>`. */
export const analystQueries: StreamDefinition<
  AnalystQueryState,
  AnalystQueryCommand,
  AnalystQueryEvent,
  AnalystQueryRefusal
> = {
  events: analystQueryEvents,
  decider: analystQueryDecider,
  // The result of the query is shown at once.
  durableWith: "each append",
  reply: ({ status }) => ({ status }),
  timers,
  erasure: { events: ["QueryTextErased"], timers: [eraseTextTimer] },
};

/** Once the erasure is a fact, the key must be destroyed: by what recorded the fact, or by a timer. */
function timers(state: AnalystQueryState): readonly Timer[] {
  if (state.status === "none") return [];
  return state.erasedAt === null
    ? [{ name: eraseTextTimer, dueAt: textErasedAt(state.ranAt) }]
    : [{ name: destroyKeyTimer, dueAt: state.erasedAt }];
}

const columns = {
  analyst_id: column.uuid("pseudonym", "Who asked"),
  ran_at: column.instant("operational", "When the query ended"),
  channel: column.oneOf(z.enum(queryChannels))("operational", "By what it came"),
  format: column.oneOf(z.enum(queryFormats))("operational", "Form of the result"),
  outcome: column.oneOf(z.enum(queryOutcomes))("operational", "What became of it"),
  problem: optional(column.text("operational", "Code of the problem that was answered")),
  views: column.texts("operational", "Views that it names"),
  rows_read: optional(column.integer("operational", "Rows read, where the engine states it")),
  result_bytes: column.integer("operational", "Size of the result"),
  milliseconds: column.integer("operational", "How long it took"),
  text_hash: column.text("operational", "Keyed hash of the text"),
  text_erased_at: optional(column.instant("operational", "When the text was erased")),
};
type Row = RowOf<typeof columns>;

/** Queries of analysts, for officers. */
export const analystQueryRows = readModel({
  table: "analyst_query",
  version: 1,
  mode: "inline",
  purpose: "Queries of analysts without their texts, for privacy officers",
  retention: "As long as the events that it is built from",
  events: analystQueryEvents,
  key: { query_id: column.uuid("operational", "Names the query") },
  columns,
  evolve: (row, { event: { type, data }, occurredAt }): Row | null => {
    if (type === "AnalystQueryRun")
      return { ...rowOf(data), ran_at: occurredAt, text_erased_at: null };
    if (row === null || type === "QueryTextRead") return row;
    return { ...row, text_erased_at: occurredAt };
  },
  indexes: [{ on: "(ran_at)" }, { on: "(analyst_id, ran_at, query_id)" }],
});

type Run = Extract<AnalystQueryEvent, { type: "AnalystQueryRun" }>["data"];
const rowOf = ({ analystId, rowsRead, resultBytes, textHash, ...same }: Run) => ({
  ...same,
  analyst_id: analystId,
  rows_read: rowsRead,
  result_bytes: resultBytes,
  text_hash: textHash,
});

/**
 * Erases the text of a query when its time is over: the fact comes first, the key second. After a crash
 * between the two the timer of the fact destroys the key.
 */
async function eraseText(
  { ledger, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  id: string,
  context: CommandContext,
): Promise<void> {
  const command = { type: "EraseText" } as const;
  const result = await runCommand(ledger, analystQueries, {
    id,
    command,
    body: command,
    ...context,
  });
  if (result.kind === "refusal") throw new Error(`No text was erased: ${result.code}`);
  if (result.how === "recorded") await subjects.shred(id);
}

/** The end of the texts of queries. */
export function queryTimerHandlers(stores: WorkerContext): TimerHandlers {
  return {
    [eraseTextTimer]: (id, context) => eraseText(stores, id, context),
    [destroyKeyTimer]: (id) => stores.subjects.shred(id),
  };
}
