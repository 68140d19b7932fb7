import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { internalQueryCalls } from "@pro-talent/schemas/analysts/audit-calls";
import { type Query, queryProblems } from "@pro-talent/schemas/analysts/calls";
import type { QueryFacts, QueryFormat } from "@pro-talent/schemas/analysts/events";
import {
  internalWorkCalls,
  type RunnableTile,
} from "@pro-talent/schemas/analysts/internal-work-calls";
import { workProblems } from "@pro-talent/schemas/analysts/work-calls";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";

import type { Admitted } from "./gate.ts";
import { type QueryEngine, type QueryOutput, runQuery } from "./run-query.ts";
import type { RunningQueries } from "./running.ts";

/** What was asked, and what became of it. */
export type QueryRecord = QueryFacts & Query;

/** What queries of analysts use. */
export type AnalystsContext = {
  /** The engine as one analyst uses it. */
  readonly engineOf: (analystId: string) => QueryEngine;
  /** Resolves when the fact is durable. @throws when it is not */
  readonly record: (record: QueryRecord) => Promise<void>;
  readonly running: RunningQueries;
  /** What a tile runs, for an account that may see its dashboard. @throws ProblemError */
  readonly tileOf: TileOf;
  readonly clock: Clock;
};

/** Records queries in the ledger. */
export function recordIn(ledger: ServiceAddress): AnalystsContext["record"] {
  const call = callService(ledger, internalQueryCalls);
  return async (record) => {
    await call("POST /internal/analyst-queries", { body: record }).catch((error: unknown) => {
      const code = error instanceof ServiceRefusal ? error.code : undefined;
      if (code === "query_id_used" || code === "command_mismatch") {
        throw new ProblemError(queryProblems.query_id_used);
      }
      throw new ProblemError("ledger_unavailable", { retryAfterSeconds: 1, cause: error });
    });
  };
}

export type TileOf = (
  tile: { readonly workId: string; readonly tileId: string },
  asking: Pick<SignedIn, "accountId" | "roles">,
) => Promise<RunnableTile>;

/** Asks the ledger. */
export function tilesIn(ledger: ServiceAddress): TileOf {
  const call = callService(ledger, internalWorkCalls);
  return async (params, { accountId, roles }) => {
    const body = { accountId, roles: [...roles] };
    const asked = call("POST /internal/analyst-work/:workId/tiles/:tileId", { params, body });
    return await asked.catch((error: unknown) => {
      const code = error instanceof ServiceRefusal ? error.code : undefined;
      if (code === "work_not_found" || code === "tile_not_found")
        throw new ProblemError(workProblems[code]);
      throw new ProblemError("ledger_unavailable", { retryAfterSeconds: 1, cause: error });
    });
  };
}

export type Asker = Pick<QueryFacts, "analystId" | "channel">;
export type AskedQuery = Query & {
  readonly format: QueryFormat;
  /** Looks at what will be executed. @throws ProblemError when it may not be */
  readonly requires?: (admitted: Admitted) => void;
};

/**
 * Runs a query of an analyst. Whatever becomes of it is a fact of the ledger before anything is answered: a result that
 * was not recorded is not handed out.
 * @throws ProblemError of `queryProblems`, `ledger_unavailable`, `upstream_unavailable`
 */
export async function askAsAnalyst(
  { engineOf, record, running, clock }: AnalystsContext,
  asker: Asker,
  { queryId, text, parameters, format, requires }: AskedQuery,
): Promise<QueryOutput & { readonly milliseconds: number }> {
  const place = running.begin(asker.analystId, queryId);
  const startedMs = clock();
  const about = { ...asker, queryId, text, parameters, format };
  let views: readonly string[] = [];
  let rowsRead = 0;
  const recordAs = (became: Pick<QueryFacts, "outcome" | "problem" | "rowsRead" | "resultBytes">) =>
    record({ ...about, ...became, views: [...views], milliseconds: clock() - startedMs });
  try {
    const engine = engineOf(asker.analystId);
    const { signal } = place;
    const onAdmitted = (admitted: Admitted): void => {
      ({ views } = admitted);
      requires?.(admitted);
    };
    const output = await runQuery(engine, { text, parameters, format, signal, onAdmitted });
    rowsRead = output.rowsRead ?? 0;
    const milliseconds = clock() - startedMs;
    const { length: resultBytes } = output.bytes;
    await recordAs({ outcome: "shown", problem: null, rowsRead: output.rowsRead, resultBytes });
    return { ...output, milliseconds };
  } catch (error) {
    if (!(error instanceof ProblemError) || unrecorded.has(error.code)) throw error;
    const outcome = outcomes[error.code] ?? "failed";
    await recordAs({ outcome, problem: error.code, rowsRead: null, resultBytes: 0 });
    throw error;
  } finally {
    place.end(rowsRead);
  }
}

/** Of the recording itself. */
const unrecorded = new Set<string>(["query_id_used", "ledger_unavailable"]);

const outcomes: Readonly<Record<string, QueryFacts["outcome"]>> = {
  query_wrong: "wrong",
  query_refused: "refused",
  query_not_withheld: "refused",
  query_limited: "limited",
  query_cancelled: "cancelled",
};
