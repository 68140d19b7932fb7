import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";

export type Queued = CallAnswer<"GET /api/console/privacy/requests">["requests"][number];
export type Reviewed = CallAnswer<"GET /api/console/privacy/requests/:requestId">["request"];

/** Which requests are listed; the words of the address. */
export const selections = ["open", "mine", "overdue", "stalled", "held", "completed"] as const;
export type Selection = (typeof selections)[number];

const key = ["console", "privacy", "requests"] as const;

export const queueQuery = (selection: Selection, number: string) =>
  queryOptions({
    queryKey: [...key, selection, number],
    queryFn: () =>
      queryAnswer(
        accountApi().call("GET /api/console/privacy/requests", {
          query: {
            ...(number !== "" && { number }),
            ...(selection === "completed" && { status: selection }),
            ...(selection !== "open" && selection !== "completed" && { only: selection }),
          },
        }),
      ),
    // Other officers work on the same queue.
    refetchInterval: 30_000,
  });

export const reviewQuery = (requestId: string) =>
  queryOptions({
    queryKey: [...key, requestId],
    queryFn: () =>
      queryAnswer(
        accountApi().call("GET /api/console/privacy/requests/:requestId", {
          params: { requestId },
        }),
      ),
    // Moments after an approval it is done, or the collected copy waits for its review.
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && stateOf(data.request) === "working" && 3_000,
  });

export const previewQuery = (requestId: string) =>
  queryOptions({
    queryKey: [...key, requestId, "preview"],
    queryFn: () =>
      queryAnswer(
        accountApi().call("GET /api/console/privacy/requests/:requestId/preview", {
          params: { requestId },
        }),
      ),
  });

/** The requests of an address. It is sent in a body, so that no log has it, and kept on no page. */
export const findByEmail = async (email: string) =>
  (await queryAnswer(accountApi().call("POST /api/console/privacy/lookup", { body: { email } })))
    .requests;

/** All of the above; what a decision makes old. */
export const consoleKey = key;

/** Where a request stands, in the words of the queue. */
export function stateOf(request: Queued) {
  const { stalled, outcome, held, lease, needsDecision, inReview, status, clock } = request;
  if (stalled) return "stalled";
  if (clock?.kind === "identity") return "identity";
  if (clock?.kind === "package") return "ready";
  if (outcome !== null) return "completed";
  if (held) return "held";
  if (status === "scheduled") return "scheduled";
  if (!needsDecision) return "working";
  if (inReview && lease === null) return "review";
  if (lease === null) return "decide";
  return lease.mine ? "mine" : "taken";
}
