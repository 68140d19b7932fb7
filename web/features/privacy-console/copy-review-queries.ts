import { queryOptions, useQueryClient } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer, CallName, CallResult } from "../../api-client/request.ts";
import type { Translations } from "../../i18n/translations.ts";
import { consoleKey, type Reviewed, reviewQuery } from "./console-queries.ts";

const base = "/api/console/privacy/requests/:requestId/review" as const;

export type Collected = CallAnswer<`GET ${typeof base}`>;
export type Store = Collected["stores"][number]["store"];
export type Redaction = Collected["elsewhere"][number];
export type CollectedEntry = CallAnswer<`GET ${typeof base}/entries`>["entries"][number];
/** Why a decision was not recorded; each has a text. */
export type ReviewFault = keyof Translations["copy-review"]["errors"];

export const redactionReasons = [
  "other-person",
  "special-category",
  "confidence",
  "trade-secret",
  "reporter",
] as const satisfies readonly Redaction["reason"][];

export const collectedQuery = (requestId: string) =>
  queryOptions({
    queryKey: ["console", "privacy", "collected", requestId],
    queryFn: () => queryAnswer(accountApi().call(`GET ${base}`, { params: { requestId } })),
    // Another officer may have proposed something meanwhile.
    staleTime: 0,
  });

/** Some entries of a store; what was collected does not change. */
export const entriesQuery = (requestId: string, collected: string, store: Store, from: number) =>
  queryOptions({
    queryKey: ["console", "privacy", "collected", requestId, collected, store, from],
    queryFn: () =>
      queryAnswer(
        accountApi().call(`GET ${base}/entries`, { params: { requestId }, query: { store, from } }),
      ),
    staleTime: Infinity,
  });

const faultOfCode: Readonly<Record<string, ReviewFault>> = {
  version_conflict: "changed",
  not_possible_now: "changed",
  assigned_elsewhere: "elsewhere",
  not_assigned: "notAssigned",
  own_request: "own",
  own_proposal: "ownProposal",
  second_officer: "second",
  redaction_unfit: "unfit",
  collection_lost: "lost",
};

/** Decisions about a copy, on the version that is shown; after each the request is loaded anew. */
export function useCopyReview({ requestId, version }: Pick<Reviewed, "requestId" | "version">) {
  const cache = useQueryClient();
  const { call } = accountApi();
  const params = { requestId };
  const outcomeOf = async <Name extends CallName>(
    calling: Promise<CallResult<Name>>,
  ): Promise<ReviewFault | undefined> => {
    const result = await calling;
    await cache.invalidateQueries({ queryKey: consoleKey });
    const now = cache.getQueryData(reviewQuery(requestId).queryKey);
    const { queryKey } = collectedQuery(requestId);
    // What was collected, and its entries, are kept no longer than the review.
    if (now?.request.inReview === true) await cache.invalidateQueries({ queryKey, exact: true });
    else cache.removeQueries({ queryKey });
    return result.ok ? undefined : (faultOfCode[result.code ?? ""] ?? "failed");
  };
  return {
    approve: () =>
      outcomeOf(
        call("POST /api/console/privacy/requests/:requestId/approve", {
          params,
          body: { version, review: true },
        }),
      ),
    claim: () =>
      outcomeOf(
        call("POST /api/console/privacy/requests/:requestId/claim", { params, body: { version } }),
      ),
    propose: (collected: string, redactions: Redaction[]) =>
      outcomeOf(
        call(`POST ${base}/redactions`, { params, body: { version, collected, redactions } }),
      ),
    confirm: (revision: number) =>
      outcomeOf(call(`POST ${base}/confirm`, { params, body: { version, revision } })),
    sendBack: (revision: number) =>
      outcomeOf(call(`POST ${base}/return`, { params, body: { version, revision } })),
    release: () => outcomeOf(call(`POST ${base}/release`, { params, body: { version } })),
    collectAgain: () =>
      outcomeOf(call(`POST ${base}/collect-again`, { params, body: { version } })),
  };
}
