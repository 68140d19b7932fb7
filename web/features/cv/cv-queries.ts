import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";

export type CvState = CallAnswer<"GET /api/cvs/:cvId">["cv"];
export type CvDocument = CvState["document"];
export type Check = CallAnswer<"GET /api/cvs/:cvId/check">;
export type Preview = CallAnswer<"POST /api/cvs/preview">;
export type Import = CallAnswer<"POST /api/cvs/import">;

/** The editor asks anew when the page is looked at again, so that nothing else may replace what is edited. */
export const cvQuery = (cvId: string) =>
  queryOptions({
    queryKey: ["cv", cvId],
    queryFn: () => queryAnswer(accountApi().call("GET /api/cvs/:cvId", { params: { cvId } })),
    staleTime: Infinity,
  });

/** The pages of a document, as outlines. */
export const drawnPages = (document: CvDocument): Promise<Preview> =>
  queryAnswer(accountApi().call("POST /api/cvs/preview", { body: { document } }));

/** The pages of a CV in the list; they change with its version. */
export const pagesQuery = (cvId: string, version: number) =>
  queryOptions({
    queryKey: ["cv-pages", cvId, version],
    queryFn: async () => {
      const { cv } = await queryAnswer(
        accountApi().call("GET /api/cvs/:cvId", { params: { cvId } }),
      );
      return drawnPages(cv.document);
    },
    staleTime: Infinity,
    // A busy service also says that a page takes too long.
    retry: 1,
  });

export const versionQuery = (cvId: string, version: number) =>
  queryOptions({
    queryKey: ["cv-versions", cvId, version],
    queryFn: async () => {
      const params = { cvId, version };
      const call = accountApi().call("GET /api/cvs/:cvId/versions/:version", { params });
      return drawnPages((await queryAnswer(call)).document);
    },
    staleTime: Infinity,
  });

/** What programs read from the files of a saved version. */
export const checkQuery = (cvId: string, version: number) =>
  queryOptions({
    queryKey: ["cv-check", cvId, version],
    queryFn: () => queryAnswer(accountApi().call("GET /api/cvs/:cvId/check", { params: { cvId } })),
    staleTime: Infinity,
  });

/** Whether there is no such CV, for example because it was deleted in another tab. */
export const isUnknown = (error: Error | "offline" | null): boolean =>
  error instanceof CallFailure && error.status === 404;
