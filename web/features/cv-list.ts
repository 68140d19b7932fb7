import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../api-client/account-api.ts";
import { queryAnswer } from "../api-client/query-answer.ts";
import type { CallAnswer } from "../api-client/request.ts";

export type CvSummary = CallAnswer<"GET /api/cvs">["cvs"][number];
export type CvVersion = CallAnswer<"GET /api/cvs/:cvId/versions">["versions"][number];

export const cvsQuery = queryOptions({
  queryKey: ["cvs"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/cvs", {})),
});

export const versionsQuery = (cvId: string) =>
  queryOptions({
    queryKey: ["cv-versions", cvId],
    queryFn: () =>
      queryAnswer(accountApi().call("GET /api/cvs/:cvId/versions", { params: { cvId } })),
    staleTime: 0,
  });
