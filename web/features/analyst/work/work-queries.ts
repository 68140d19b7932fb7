import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../../api-client/account-api.ts";
import { CallFailure, mayRecover, queryAnswer } from "../../../api-client/query-answer.ts";
import type { CallAnswer } from "../../../api-client/request.ts";
import type { DaysAsked } from "../../days-in-query.ts";

export type Summary = CallAnswer<"GET /api/console/analyst/work/saved">["saved"][number];
export type SavedWork = CallAnswer<"GET /api/console/analyst/work/saved/:workId">["saved"];
/** The saved work that is being changed, and the version from which that began. */
export type Origin = Pick<SavedWork, "workId" | "version">;
export type Content = SavedWork["content"];
export type QueryContent = Extract<Content, { kind: "query" }>;
export type DashboardContent = Extract<Content, { kind: "dashboard" }>;
export type Chart = QueryContent["chart"];
/** Roles with which work may be shared. */
export const sharingRoles = ["analyst", "administrator"] as const satisfies Summary["sharedWith"];
export type Tile = DashboardContent["tiles"][number];
export type Range = DashboardContent["range"];
export type Delivery = CallAnswer<"GET /api/console/analyst/work/deliveries">["deliveries"][number];
export type Schedule = Delivery["schedule"];
export type HistoryEntry = CallAnswer<"GET /api/console/analyst/work/history">["queries"][number];
export type TileAnswer = CallAnswer<"POST /api/console/analyst/dashboards/:workId/tiles/:tileId">;

const key = ["console", "analyst-work"] as const;

/** Queries and dashboards, one's own and shared ones. */
export const savedListQuery = queryOptions({
  queryKey: [...key, "list"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/console/analyst/work/saved", {})),
});

/** One of them with its newest content. */
export const savedWorkQuery = (workId: string) =>
  queryOptions({
    queryKey: [...key, "saved", workId],
    queryFn: () =>
      queryAnswer(
        accountApi().call("GET /api/console/analyst/work/saved/:workId", { params: { workId } }),
      ),
  });

/** What a version holds; it never changes. */
export const versionQuery = (workId: string, version: number) =>
  queryOptions({
    queryKey: [...key, "version", workId, version],
    queryFn: () =>
      queryAnswer(
        accountApi().call("GET /api/console/analyst/work/saved/:workId/versions/:version", {
          params: { workId, version },
        }),
      ),
    staleTime: "static",
  });

export const deliveriesQuery = queryOptions({
  queryKey: [...key, "deliveries"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/console/analyst/work/deliveries", {})),
});

/** The queries that the account ran, the newest first. */
export const historyQuery = infiniteQueryOptions({
  queryKey: [...key, "history"],
  queryFn: ({ pageParam }) =>
    queryAnswer(
      accountApi().call("GET /api/console/analyst/work/history", {
        query: pageParam === null ? {} : { after: pageParam },
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});

/** So many run at once; others wait in the order in which they came. */
function inTurn(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** The server refuses more at once of one analyst. */
const tileTurn = inTurn(analystLimits.runningEachMax);
const busyRetriesMax = 5;

/** What a tile shows of these days. What is asked for no longer is ended in the engine. */
export const tileQuery = (workId: string, tileId: string, days: DaysAsked) =>
  queryOptions({
    queryKey: [...key, "tile", workId, tileId, days],
    queryFn: ({ signal }) =>
      tileTurn(() => {
        signal.throwIfAborted();
        const queryId = crypto.randomUUID();
        const cancel = (): void =>
          void accountApi()
            .call("DELETE /api/console/analyst/queries/:queryId", { params: { queryId } })
            .catch(() => undefined);
        signal.addEventListener("abort", cancel, { once: true });
        const params = { workId, tileId };
        return queryAnswer(
          accountApi().call("POST /api/console/analyst/dashboards/:workId/tiles/:tileId", {
            params,
            body: { queryId, ...days },
          }),
        ).finally(() => signal.removeEventListener("abort", cancel));
      }),
    retry: (failures, error) =>
      error instanceof CallFailure && error.code === "queries_running"
        ? failures < busyRetriesMax
        : mayRecover(failures, error),
  });

/** Whether two values of saved work are the same; the server keeps their fields in one order. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Keys under which everything of saved work is kept. */
export const workKeys = {
  list: savedListQuery.queryKey,
  deliveries: deliveriesQuery.queryKey,
};
