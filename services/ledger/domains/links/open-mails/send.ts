import { MailRefused } from "@pro-talent/platform/mail/mailer";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { ContactOf } from "../../../contacts.ts";
import type { MailReturnHandler, WorkerContext } from "../../../kernel/module.ts";
import type { MessageHandlers } from "../../../kernel/outbox.ts";
import { loadState, loadStream } from "../../../kernel/streams.ts";
import { offAddress } from "../../../off-tokens.ts";
import { isRestricted } from "../../../restriction.ts";
import { openDetails } from "../links.ts";
import { accountOfMail, openMail } from "./mail.ts";
import {
  commandMails,
  openMailEvents,
  openMailMessage,
  openMails,
  openMailsOff,
  serviceCause,
} from "./open-mails.ts";
import type { OpensSource } from "./opens-source.ts";

const Payload = z.object({ accountId: Uuid, until: Instant });

export type SendParts = {
  readonly context: WorkerContext;
  readonly opens: OpensSource;
  readonly contactOf: ContactOf;
};

/** Sends each mail that was requested, unless its owner turned them off or has left meanwhile. */
export function openMailHandlers(parts: SendParts): MessageHandlers {
  return {
    [openMailMessage]: async (payload) => {
      const { accountId, until } = Payload.parse(payload);
      await sendOpenMail(parts, accountId, until);
    },
  };
}

async function sendOpenMail(
  { context, opens, contactOf }: SendParts,
  accountId: string,
  until: Instant,
): Promise<void> {
  const { sql } = context.ledger;
  const { state } = await loadState(sql, openMails, accountId);
  if (state.ended || state.preference === "off" || (await isRestricted(sql, accountId))) return;
  const requested = await requestedMail(context, accountId, until);
  const contact = await contactOf(accountId);
  if (contact === undefined) return;
  // What was deleted since is not named.
  const links = await Promise.all(
    requested.links.map(async (link) => {
      const label = (await openDetails(context, sql, link.linkId))?.label;
      return label === undefined ? [] : [{ ...link, label }];
    }),
  );
  const named = links.flat();
  const [first] = named;
  if (first === undefined) return;
  const places =
    requested.kind === "digest" ? [] : await opens.firstOpens(accountId, first.firstAt);
  const countries = new Map(places.map(({ linkId, country }) => [linkId, country]));
  if ((await context.mailboxes.admit(contact.email, undefined)) !== "admitted") return;
  const { publicOrigin: origin, mailboxes } = context;
  const feedbackId = mailboxes.feedbackIdOf(contact.email);
  const offUrl = offAddress(context, openMailsOff, accountId);
  const mail = openMail({
    accountId,
    until,
    contact,
    kind: requested.kind,
    links: named.map((link) => ({ ...link, country: countries.get(link.linkId) ?? null })),
    origin,
    offUrl,
    feedbackId,
  });
  try {
    await context.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await turnOff(context, accountId, instantFromMs(context.clock()));
  }
}

async function requestedMail({ ledger }: WorkerContext, accountId: string, until: Instant) {
  const stream = openMailEvents.streamOf(accountId);
  const { events } = await loadStream(ledger.sql, openMailEvents, stream);
  for (const { event } of events)
    if (event.type === "OpenMailRequested" && event.data.until === until) return event.data;
  throw new Error("A mail about opens was not requested");
}

async function turnOff(
  context: Pick<WorkerContext, "ledger">,
  accountId: string,
  now: Instant,
): Promise<boolean> {
  const command = { type: "ChoosePreference", preference: "off", hasAnalytics: false } as const;
  const result = await commandMails(context, accountId, command, serviceCause(now));
  if (result.kind === "refusal") throw new Error(`Mails are not turned off: ${result.code}`);
  return result.how === "recorded";
}

/** A mailbox that is gone, or whose holder complains, gets no more of these mails. */
export const openMailReturns: MailReturnHandler = async (ledger, { mailId, kind }, { now }) => {
  const accountId = kind === "soft" ? undefined : accountOfMail(mailId);
  return accountId !== undefined && (await turnOff({ ledger }, accountId, now));
};
