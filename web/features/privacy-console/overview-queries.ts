import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";

export const calendarQuery = queryOptions({
  queryKey: ["console", "privacy", "calendar"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/console/privacy/calendar", {})),
});

export const metricsQuery = (year: number) =>
  queryOptions({
    queryKey: ["console", "privacy", "metrics", year],
    queryFn: () =>
      queryAnswer(accountApi().call("GET /api/console/privacy/metrics", { query: { year } })),
  });
