import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { useEffect } from "react";

import { accountApi } from "../../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { type DaysAsked, unitOf } from "../days-in-query.ts";

export type ShareLink = CallAnswer<"GET /api/links">["links"][number];
export type LinkInsights = CallAnswer<"GET /api/insights/links/:linkId">;
export type AllInsights = CallAnswer<"GET /api/insights/links">;
export type Open = CallAnswer<"GET /api/insights/links/:linkId/opens">["opens"][number];
export type Totals = LinkInsights["totals"];

/** Key of all that changes when a link is made, changed or deleted. */
export const linksKey = ["links"] as const;
/** Key of all that changes with an open. */
export const insightsKey = ["insights"] as const;

const refreshMs = 60_000;

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

export const linkInsightsQuery = (linkId: string, asked: OpensAsked) =>
  queryOptions({
    queryKey: [...insightsKey, linkId, asked],
    queryFn: () => {
      const query = { ...asked, unit: unitOf(asked) };
      const call = accountApi().call("GET /api/insights/links/:linkId", {
        params: { linkId },
        query,
      });
      return queryAnswer(call);
    },
    placeholderData: keepPreviousData,
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

export const comparedQuery = (linkIds: readonly string[], asked: OpensAsked) =>
  queryOptions({
    queryKey: [...insightsKey, "compared", linkIds, asked],
    queryFn: () => {
      const { from, to, zone } = asked;
      const query = { from, to, zone, unit: unitOf(asked), links: linkIds.join(",") };
      return queryAnswer(accountApi().call("GET /api/insights/links/compared", { query }));
    },
    placeholderData: keepPreviousData,
  });

export const firstOpenQuery = queryOptions({
  queryKey: [...insightsKey, "first-open"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/insights/first-open", {})),
});

/**
 * Where the table of opens is downloaded, once and within a minute: a download has no bearer token,
 * and its size is not bounded by the memory of the page.
 * @throws when there is no ticket
 */
export async function tableAddress(linkId: string, asked: OpensAsked): Promise<string> {
  const path = `/api/insights/links/${linkId}/opens.csv`;
  const { ticket } = await queryAnswer(
    accountApi().call("POST /api/account/tickets", { body: { path } }),
  );
  return `${path}?${new URLSearchParams({ ...asked, ticket }).toString()}`;
}

/** Whether the plan does not include answers about opens. */
export const isNotIncluded = (error: Error | null): boolean =>
  error instanceof CallFailure && error.code === "insights_not_included";

/** Whether the account is to be deleted, so that its opens are not evaluated. */
export const isInsightRestricted = (error: Error | null): boolean =>
  error instanceof CallFailure && error.code === "insights_restricted";

/** Why links are shown without figures; a plan without them says so itself. */
export function whyWithoutNumbers(
  error: Error | null,
): "restricted" | "withoutNumbers" | undefined {
  if (error === null || isNotIncluded(error)) return undefined;
  return isInsightRestricted(error) ? "restricted" : "withoutNumbers";
}

/** Opens after this count as fresh. */
function recordLooked(linkId: string | null): void {
  const call = accountApi().call("POST /api/insights/looked", {
    body: { linkId },
    keepalive: true,
  });
  // Not recorded: what was fresh stays fresh, and the next visit records it.
  void call.catch(() => undefined);
}

/**
 * Records that the owner has looked at a link, or at all (null), once there is an answer. Sent when
 * the owner leaves, so that what is fresh stays marked.
 */
export function useLooked(linkId: string | null, answered: boolean): void {
  useEffect(() => {
    if (!answered) return undefined;
    const leave = (): void => recordLooked(linkId);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [answered, linkId]);
}

/** The address to share, within the site. */
export const pathOf = ({ code }: Pick<ShareLink, "code">): string => `/l/${code}`;

/** The address to share. */
export const addressOf = (link: Pick<ShareLink, "code">): string => location.origin + pathOf(link);
