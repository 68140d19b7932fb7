import type { AnalystQueryEvent } from "@pro-talent/schemas/analysts/events";
import { type Instant, instantPlusMonths } from "@pro-talent/schemas/primitives/instant";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { type Decider, refuse } from "../../kernel/types.ts";

type Run = Extract<AnalystQueryEvent, { type: "AnalystQueryRun" }>["data"];
type End = Extract<AnalystQueryEvent, { type: "AnalystQueryEnded" }>["data"];

/** Its text is sealed beside the command. */
export type AnalystQueryCommand =
  | ({ readonly type: "RecordQuery" } & Run)
  | ({ readonly type: "EndQuery" } & End)
  | { readonly type: "ReadText"; readonly officerId: string }
  | { readonly type: "EraseText" };

export type AnalystQueryState =
  | { readonly status: "none" }
  | {
      readonly status: "run";
      readonly ranAt: Instant;
      /** Its result is on its way. */
      readonly isOpen: boolean;
      readonly erasedAt: Instant | null;
    };

export type AnalystQueryRefusal = "query_id_used" | "query_unknown" | "query_text_erased";

/** When the text of a query is erased; what became of it stays. */
export const textErasedAt = (ranAt: Instant): Instant =>
  instantPlusMonths(ranAt, retentionPeriods.analystQueries.count);

/**
 * A query is recorded once, and its end once if its result was sent as it came; each reading of its text too, until
 * its time is over.
 */
export const analystQueryDecider: Decider<
  AnalystQueryState,
  AnalystQueryCommand,
  AnalystQueryEvent,
  AnalystQueryRefusal
> = {
  initialState: { status: "none" },
  decide: (command, state, { now }) => {
    if (command.type === "RecordQuery") {
      const { type: _, ...data } = command;
      return state.status === "none"
        ? [{ type: "AnalystQueryRun", data }]
        : refuse("query_id_used");
    }
    if (state.status === "none") return refuse("query_unknown");
    if (command.type === "EndQuery") {
      const { type: _, ...data } = command;
      return state.isOpen ? [{ type: "AnalystQueryEnded", data }] : [];
    }
    if (command.type === "ReadText") {
      if (state.erasedAt !== null) return refuse("query_text_erased");
      return [{ type: "QueryTextRead", data: { officerId: command.officerId } }];
    }
    const isOver = state.erasedAt === null && now >= textErasedAt(state.ranAt);
    return isOver ? [{ type: "QueryTextErased", data: {} }] : [];
  },
  evolve: (state, { type, data }, at) => {
    if (type === "AnalystQueryRun") {
      return { status: "run", ranAt: at, isOpen: data.outcome === "begun", erasedAt: null };
    }
    if (state.status === "none" || type === "QueryTextRead") return state;
    if (type === "AnalystQueryEnded") return { ...state, isOpen: false };
    return { ...state, erasedAt: at };
  },
};
