import { addCalls } from "@pro-talent/platform/http/add-calls";
import { AccountEvent, AccountOpenedV1 } from "@pro-talent/schemas/accounts/events";
import { accountOpeningCalls } from "@pro-talent/schemas/accounts/opening-calls";
import type { FastifyInstance } from "fastify";

import type { ConsentSource, RecipientSource } from "../../held.ts";
import { type CommandContext, runCommand, type StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents, upcast } from "../../kernel/events.ts";
import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import { defineModule, type HttpContext, type WorkerContext } from "../../kernel/module.ts";
import { loadStream } from "../../kernel/streams.ts";
import { type AccountCommand, accountDecider, type AccountState } from "./decider.ts";

export const accountEvents = defineEvents("account", AccountEvent, {
  AccountOpened: [upcast(AccountOpenedV1, (data) => ({ ...data, discountPercent: 0 }))],
});

/** Accounts. */
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

/** Records that an account is closed, before it is erased; repeated it changes nothing. */
export async function closeAccount(
  { ledger }: Pick<WorkerContext, "ledger">,
  id: string,
  why: CommandContext,
): Promise<void> {
  const command: AccountCommand = { type: "CloseAccount" };
  const result = await runCommand(ledger, accountStreams, { ...why, id, command, body: command });
  if (result.kind === "refusal") throw new Error(`An account was not closed: ${result.code}`);
}

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

/** The mail provider, since the account was opened: mails are about it for as long as it exists. */
export const accountRecipients: RecipientSource = async ({ ledger }, { accountId }) => {
  const stream = accountEvents.streamOf(accountId);
  const [opened] = (await loadStream(ledger.sql, accountEvents, stream)).events;
  if (opened === undefined) return [];
  const firstAt = opened.occurredAt;
  return [{ recipient: "mail-provider", name: null, firstAt, lastAt: null }];
};

/** The documents that were accepted with the opening of an account. */
export const accountConsents: ConsentSource = async ({ ledger }, { accountId }) => {
  const stream = accountEvents.streamOf(accountId);
  const { events } = await loadStream(ledger.sql, accountEvents, stream);
  return events.flatMap(({ event, eventId, position, occurredAt }) =>
    event.type === "AccountOpened"
      ? event.data.documents.map(({ document, version, language, textHash }) => ({
          subject: document,
          decision: "granted" as const,
          version,
          language,
          textHash,
          eventId,
          position,
          occurredAt,
        }))
      : [],
  );
};
