import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { useEffect } from "react";

import { accountApi } from "../../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { unitOf } from "../days-in-query.ts";
import { insightsKey, type OpensAsked, isNotIncluded, refreshMs } from "../link-opens.ts";

export type ShareLink = CallAnswer<"GET /api/links">["links"][number];
export type LinkInsights = CallAnswer<"GET /api/insights/links/:linkId">;
export type Totals = LinkInsights["totals"];

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
