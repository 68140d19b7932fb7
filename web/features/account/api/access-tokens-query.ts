import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";

/** Access tokens for programs of the account holder. */
export const accessTokensQuery = queryOptions({
  queryKey: ["account", "access-tokens"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/account/tokens", {})),
});
