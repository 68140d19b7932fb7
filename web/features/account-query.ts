import type { Account } from "@pro-talent/schemas/accounts/calls";
import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";

import { accountApi } from "../api-client/account-api.ts";
import { queryAnswer } from "../api-client/query-answer.ts";

/** The signed-in account: loaded once before the pages that need it. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/account", {})),
});

export const factorsQuery = queryOptions({
  queryKey: ["account", "factors"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/account/factors", {})),
});

export const sessionsQuery = queryOptions({
  queryKey: ["account", "sessions"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/account/sessions", {})),
});

/** The account, in a guarded page: the guard has loaded it. */
export const useAccount = (): Account => useSuspenseQuery(accountQuery).data;

/** The account once it is there, for the frame around the pages. */
export const useKnownAccount = (signedIn: boolean): Account | undefined =>
  useQuery({ ...accountQuery, enabled: signedIn }).data;
