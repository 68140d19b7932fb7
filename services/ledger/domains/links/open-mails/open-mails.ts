import { randomUUID } from "node:crypto";

import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { openMailsOffPath } from "@pro-talent/schemas/links/mail-calls";
import { OpenMailEvent } from "@pro-talent/schemas/links/mail-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import {
  type CommandContext,
  type CommandResult,
  runCommand,
  type StreamDefinition,
} from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { column, readModel } from "../../../kernel/read-model.ts";
import {
  type OpenMailCommand,
  openMailDecider,
  type OpenMailRefusalCode,
  type OpenMailState,
} from "./decider.ts";

/** The mails about opens of one account; the stream has the account's id. */
export const openMailEvents = defineEvents("openmail", OpenMailEvent);

/** Renders and sends a mail that was requested. */
export const openMailMessage = "links.open-mail";
/** How one click turns them off. */
export const openMailsOff = { label: "turning off mails about opens", path: openMailsOffPath };

export const openMails: StreamDefinition<
  OpenMailState,
  OpenMailCommand,
  OpenMailEvent,
  OpenMailRefusalCode
> = {
  events: openMailEvents,
  decider: openMailDecider,
  durableWith: "each append",
  reply: ({ preference }) => ({ preference }),
  effects: ({ id, events }) => ({
    messages: events.flatMap((event) =>
      event.type === "OpenMailRequested"
        ? [{ name: openMailMessage, payload: { accountId: id, until: event.data.until } }]
        : [],
    ),
  }),
};

/** Accounts that chose when to get mails. */
export const openMailRows = readModel({
  table: "link_open_mail",
  version: 1,
  mode: "inline",
  purpose: "Lists the accounts whose digests of opens are due",
  retention: "Until the account is closed",
  events: openMailEvents,
  key: { account_id: column.uuid("pseudonym", "Names the account") },
  columns: { preference: column.text("operational", "When its holder gets mails about opens") },
  evolve: (row, { event }) => {
    switch (event.type) {
      case "OpenMailPreferenceChosen":
        return { preference: event.data.preference };
      case "OpenMailsEnded":
        return null;
      case "OpenMailRequested":
        return row;
    }
  },
  indexes: [{ on: "(account_id) where preference in ('daily', 'weekly')" }],
});

type DigestRow = { readonly accountId: string; readonly preference: "daily" | "weekly" };

/** Accounts that chose digests. */
export async function digestAccounts(sql: Queryable): Promise<readonly DigestRow[]> {
  return await sql<DigestRow[]>`
    select account_id as "accountId", preference from ledger.link_open_mail
     where preference in ('daily', 'weekly') order by account_id`;
}

/** Carries out a command about an account's mails. */
export function commandMails(
  { ledger }: Pick<LedgerContext, "ledger">,
  accountId: string,
  command: OpenMailCommand,
  context: CommandContext,
): Promise<CommandResult<OpenMailRefusalCode>> {
  return runCommand(ledger, openMails, { id: accountId, command, body: command, ...context });
}

/** Why the service itself issues a command. */
export function serviceCause(now: Instant): CommandContext {
  const id = randomUUID();
  return { now, cause: { actor: "service:open-mails", causationId: id, correlationId: id } };
}
