import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";

/** Key of all that the server knows about the account's billing: what an act changes. */
export const billingKey = ["billing"] as const;

const attentionPollMs = 5000;

export const subscriptionQuery = queryOptions({
  queryKey: [...billingKey, "subscription"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/subscription", {})),
  // What needs attention is settled elsewhere: a new card is charged, or the bank confirms.
  refetchInterval: ({ state }) => (state.data?.attention ? attentionPollMs : false),
});

export const paymentsQuery = queryOptions({
  queryKey: [...billingKey, "payments"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/payments", {})),
});

export const invoicesQuery = queryOptions({
  queryKey: [...billingKey, "invoices"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/invoices", {})),
});
