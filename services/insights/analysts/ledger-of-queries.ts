import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalQueryCalls, type UsedQueries } from "@pro-talent/schemas/analysts/audit-calls";
import { type Query, queryProblems } from "@pro-talent/schemas/analysts/calls";
import type { QueryEnd, QueryFacts } from "@pro-talent/schemas/analysts/events";
import {
  internalWorkCalls,
  type RunnableTile,
} from "@pro-talent/schemas/analysts/internal-work-calls";
import { workProblems } from "@pro-talent/schemas/analysts/work-calls";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";

/** What was asked, and what became of it. */
export type QueryRecord = QueryFacts & Query;

/** How a result ended that was recorded as begun. */
export type EndRecord = QueryEnd & Pick<QueryFacts, "analystId"> & Pick<Query, "queryId">;

export type TileOf = (
  tile: { readonly workId: string; readonly tileId: string },
  asking: Pick<SignedIn, "accountId" | "roles">,
) => Promise<RunnableTile>;

/** What queries of analysts need of the ledger. */
export type LedgerOfQueries = {
  /** Resolves when the fact is durable. @throws when it is not */
  readonly record: (record: QueryRecord) => Promise<void>;
  /** Resolves when the end of a result that was sent as it came is durable. @throws when it is not */
  readonly recordEnd: (end: EndRecord) => Promise<void>;
  /** What an analyst used in the last hour, by every process. @throws ProblemError when that is not known */
  readonly usedBy: (analystId: string) => Promise<UsedQueries>;
  /** What a tile runs, for an account that may see its dashboard. @throws ProblemError */
  readonly tileOf: TileOf;
};

/** The ledger, over HTTP. */
export function ledgerOver(ledger: ServiceAddress): LedgerOfQueries {
  return { ...recordIn(ledger), tileOf: tilesIn(ledger) };
}

/** Records queries in the ledger, which also counts them. */
function recordIn(ledger: ServiceAddress): Omit<LedgerOfQueries, "tileOf"> {
  const call = callService(ledger, internalQueryCalls);
  const unavailable = (cause: unknown): never => {
    throw new ProblemError("ledger_unavailable", { retryAfterSeconds: 1, cause });
  };
  return {
    usedBy: (analystId) =>
      call("GET /internal/analyst-queries/used/:analystId", { params: { analystId } }).catch(
        unavailable,
      ),
    record: async (record) => {
      await call("POST /internal/analyst-queries", { body: record }).catch((error: unknown) => {
        const code = error instanceof ServiceRefusal ? error.code : undefined;
        if (code === "query_id_used" || code === "command_mismatch") {
          throw new ProblemError(queryProblems.query_id_used);
        }
        unavailable(error);
      });
    },
    recordEnd: async ({ queryId, ...body }) => {
      await call("POST /internal/analyst-queries/:queryId/end", {
        params: { queryId },
        body,
      }).catch(unavailable);
    },
  };
}

function tilesIn(ledger: ServiceAddress): TileOf {
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
