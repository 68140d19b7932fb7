import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";

/** Key of all that the server knows about the account's billing: what an act changes. */
export const billingKey = ["billing"] as const;

export const subscriptionQuery = queryOptions({
  queryKey: [...billingKey, "subscription"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/subscription", {})),
});

export const paymentsQuery = queryOptions({
  queryKey: [...billingKey, "payments"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/payments", {})),
});

export const invoicesQuery = queryOptions({
  queryKey: [...billingKey, "invoices"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/invoices", {})),
});
