import type { OwnRequest } from "@pro-talent/schemas/privacy/calls";
import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";

// Every signed-in page loads this module, for the banner of a scheduled deletion.

export type { OwnRequest };

export const privacyKey = ["privacy"] as const;

export const requestsQuery = queryOptions({
  queryKey: [...privacyKey, "requests"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/requests", {})),
});

/** The deletion that is under way, if there is one; an account has one at most. */
export const openDeletion = (requests: readonly OwnRequest[]): OwnRequest | undefined =>
  requests.find(({ type, outcome }) => type === "delete" && outcome === null);
