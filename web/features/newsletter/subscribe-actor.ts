import type { SourceContext } from "@pro-talent/schemas/newsletter/categories";
import { fromPromise } from "xstate";

import { createApiClient } from "../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../api-client/token.ts";
import { subscribe } from "./subscribe-call.ts";
import type { SubscribeInput, SubscribeResult } from "./subscribe.ts";

export function subscribeActor(sourceContext: SourceContext) {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  return fromPromise<SubscribeResult, SubscribeInput>(({ input }) =>
    subscribe(api, input, sourceContext),
  );
}
