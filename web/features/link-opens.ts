import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { accountApi } from "../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../api-client/query-answer.ts";
import type { CallAnswer } from "../api-client/request.ts";
import type { DaysAsked } from "./days-in-query.ts";

export type AllInsights = CallAnswer<"GET /api/insights/links">;
export type Open = CallAnswer<"GET /api/insights/links/:linkId/opens">["opens"][number];
/** Key of all that changes when a link is made, changed or deleted. */
export const linksKey = ["links"] as const;
/** Key of all that changes with an open. */
export const insightsKey = ["insights"] as const;

export const refreshMs = 60_000;

export const linksQuery = queryOptions({
  queryKey: linksKey,
  queryFn: () => queryAnswer(accountApi().call("GET /api/links", {})),
});

/** What a question about opens is limited to, as in the address. */
export type OpensAsked = DaysAsked & {
  zone: string;
  country?: string;
  device?: Open["device"];
  source?: string;
};

/** Opens of all links. */
export const allInsightsQuery = (asked: OpensAsked) =>
  queryOptions({
    queryKey: [...insightsKey, "all", asked],
    queryFn: () => queryAnswer(accountApi().call("GET /api/insights/links", { query: asked })),
    refetchInterval: refreshMs,
  });

/** The newest requests; with `excluded` also those that were left out. */
export const opensQuery = (linkId: string, asked: OpensAsked, excluded: boolean) =>
  queryOptions({
    queryKey: [...insightsKey, linkId, "opens", asked, excluded],
    queryFn: () => {
      // The client leaves out what is no text or number.
      const query = { ...asked, ...(excluded ? { excluded: "true" } : {}) };
      const call = accountApi().call("GET /api/insights/links/:linkId/opens", {
        params: { linkId },
        query,
      });
      return queryAnswer(call);
    },
    placeholderData: keepPreviousData,
  });

/** Whether the plan does not include answers about opens. */
export const isNotIncluded = (error: Error | null): boolean =>
  error instanceof CallFailure && error.code === "insights_not_included";
