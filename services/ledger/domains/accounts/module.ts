import { addCalls } from "@pro-talent/platform/http/add-calls";
import { AccountEvent, AccountOpenedV1 } from "@pro-talent/schemas/accounts/events";
import { accountOpeningCalls } from "@pro-talent/schemas/accounts/opening-calls";
import type { FastifyInstance } from "fastify";

import { runCommand, type StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents, upcast } from "../../kernel/events.ts";
import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import { defineModule, type HttpContext } from "../../kernel/module.ts";
import { type AccountCommand, accountDecider, type AccountState } from "./decider.ts";

export const accountEvents = defineEvents("account", AccountEvent, {
  AccountOpened: [upcast(AccountOpenedV1, (data) => ({ ...data, discountPercent: 0 }))],
});

/** Accounts. No call reports a closing yet. */
export const accountStreams: StreamDefinition<AccountState, AccountCommand, AccountEvent, never> = {
  events: accountEvents,
  decider: accountDecider,
  durableWith: "each append",
  reply: ({ opened }) => ({ opened }),
};

/** Accounts, as far as they are decisions: that one was opened, and what was accepted with it. */
export const accounts = defineModule({
  name: "accounts",
  events: [accountEvents],
  routes: addAccountRoutes,
});

/** The accounts service reports an opening until it is answered; the time is that of the acceptance. */
function addAccountRoutes(app: FastifyInstance, context: HttpContext): void {
  addCalls(app, accountOpeningCalls, {
    "POST /internal/account-openings": async ({ body }, { request }) => {
      const { accountId: id, acceptedAt: now, ...accepted } = body;
      const { cause } = requestContext(context, request, "service:accounts");
      const command: AccountCommand = { type: "OpenAccount", ...accepted };
      const opened = runCommand(context.ledger, accountStreams, {
        id,
        command,
        body: { id },
        now,
        cause,
      });
      const result = await opened.catch(unavailable);
      if (result.kind === "refusal") throw storeProblem(result.code);
      return { status: "recorded" as const };
    },
  });
}
