import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { accountApi } from "../../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer, CallInput } from "../../api-client/request.ts";
import { useAccount } from "../account-query.ts";
import { daysOf, todayIn } from "../days-in-query.ts";
import { allInsightsQuery } from "../link-opens.ts";

export type Tracker = CallAnswer<"GET /api/applications">;
export type Application = Tracker["applications"][number];
export type Details = Application["details"];
export type Stage = Tracker["stages"][number];
export type StageKind = Stage["kind"];
export type Whole = CallAnswer<"GET /api/applications/:applicationId">;
export type Reminder = Whole["reminders"][number];
export type Note = Whole["notes"][number];
export type Suggestion = CallAnswer<"GET /api/applications/suggestions">["suggestions"][number];
export type Statistics = CallAnswer<"GET /api/applications/statistics">;
export type Imported = CallAnswer<"POST /api/applications/import">;
export type NewApplication = CallInput<"POST /api/applications">["body"]["applications"][number];

/** Key of all that the server knows of applications. */
export const trackerKey = ["applications"] as const;

/** All applications with the pipeline, one answer for board, table and calendar. */
export const trackerQuery = queryOptions({
  queryKey: [...trackerKey, "all"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/applications", {})),
});

export const wholeQuery = (applicationId: string) =>
  queryOptions({
    queryKey: [...trackerKey, "one", applicationId],
    queryFn: () => {
      const params = { applicationId };
      return queryAnswer(accountApi().call("GET /api/applications/:applicationId", { params }));
    },
  });

/** Reminders that are not done, up to a day in a zone. */
export const remindersQuery = (until: string, zone: string) =>
  queryOptions({
    queryKey: [...trackerKey, "reminders", until, zone],
    queryFn: () => {
      const query = { until, zone };
      return queryAnswer(accountApi().call("GET /api/applications/reminders", { query }));
    },
    placeholderData: keepPreviousData,
  });

export const suggestionsQuery = queryOptions({
  queryKey: [...trackerKey, "suggestions"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/applications/suggestions", {})),
});

export const statisticsQuery = (days: { from?: string; to?: string }) =>
  queryOptions({
    queryKey: [...trackerKey, "statistics", days],
    queryFn: () =>
      queryAnswer(accountApi().call("GET /api/applications/statistics", { query: days })),
    placeholderData: keepPreviousData,
  });

/** Whether there is no such application, for example because it was deleted in another tab. */
export const isUnknown = (error: Error | "offline" | null): boolean =>
  error instanceof CallFailure && error.status === 404;

/** When the links of an application were last opened. */
export type OpenedOf = (application: Application) => string | undefined;

/** Opens of the last 90 days by application. Without the plan's analytics nothing is marked. */
export function useOpened(): OpenedOf {
  const { timeZone } = useAccount().profile;
  const days = daysOf({ preset: "90d" }, todayIn(timeZone));
  const { data } = useQuery(allInsightsQuery({ ...days, zone: timeZone }));
  // The answer is asked for every minute; its links seldom change.
  const links = data?.links;
  return useMemo(() => {
    const lastAt = new Map(links?.map((link) => [link.linkId, link.lastAt ?? undefined]));
    return ({ sent }) => {
      let latest: string | undefined;
      for (const linkId of sent.linkIds) {
        const at = lastAt.get(linkId);
        if (at !== undefined && (latest === undefined || at > latest)) latest = at;
      }
      return latest;
    };
  }, [links]);
}
