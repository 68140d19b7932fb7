import { type Mail, MailRefused } from "@pro-talent/platform/mail/mailer";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { WorkerContext } from "../../kernel/module.ts";
import type { MessageHandlers } from "../../kernel/outbox.ts";
import type { TimerHandler, TimerHandlers } from "../../kernel/timers.ts";
import type { Cause } from "../../kernel/types.ts";
import type { NewsletterCommand } from "./decider.ts";
import { mailLinks } from "./mail-tokens.ts";
import { confirmationMail, preferencesLinkMail, welcomeMail } from "./mails/newsletter-mails.ts";
import {
  commandSubscriber,
  confirmAddressMessage,
  destroyKeyTimer,
  mailDeliveredTimer,
  eraseDepartedTimer,
  eraseUnconfirmedTimer,
  preferencesLinkMessage,
  readSubscriber,
  type Subscriber,
  type SubscriberStores,
  welcomeMessage,
} from "./subscribers.ts";

const ConfirmPayload = z.object({ subscriberId: Uuid, mail: z.number().int().positive() });
const LinkPayload = z.object({ subscriberId: Uuid, requestedAt: Instant });
const WelcomePayload = z.object({ subscriberId: Uuid });

/**
 * The mails that follow from a newsletter subscription. Each handler reads the subscriber first: a
 * newer mail, a confirmation or an erasure makes the mail superfluous. A mail has the same id at every
 * attempt, so that a repeated one is recognised.
 */
export function newsletterMessageHandlers(
  context: WorkerContext,
  postalAddress: string,
): MessageHandlers {
  const settings = { links: mailLinks(context), mailboxes: context.mailboxes, postalAddress };
  const send = sender(context, { requestable: true });
  const sendAfterConsent = sender(context, { requestable: false });
  return {
    [confirmAddressMessage]: async (payload, cause) => {
      const { subscriberId, mail } = ConfirmPayload.parse(payload);
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber?.state.status !== "pending" || subscriber.state.mail !== mail) return;
      await send(subscriber, confirmationMail(subscriber, settings), cause);
    },
    [welcomeMessage]: async (payload, cause) => {
      const { subscriberId } = WelcomePayload.parse(payload);
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber?.state.status !== "confirmed") return;
      await sendAfterConsent(subscriber, welcomeMail(subscriber, settings), cause);
    },
    [preferencesLinkMessage]: async (payload, cause) => {
      const { subscriberId, requestedAt } = LinkPayload.parse(payload);
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber?.state.status !== "confirmed") return;
      await send(subscriber, preferencesLinkMail(subscriber, settings, requestedAt), cause);
    },
  };
}

/**
 * Sends a mail, unless its mailbox is on the do-not-mail list or, for mails that any visitor can
 * request, was sent enough for a day. An address that is refused permanently is recorded as such and
 * not tried again; that a mail was accepted is recorded too.
 */
function sender(context: WorkerContext, { requestable }: { requestable: boolean }) {
  return async ({ id, email }: Subscriber, mail: Mail, cause: Cause): Promise<void> => {
    const admission = await context.mailboxes.admit(email, requestable ? mail.id : undefined);
    if (admission === "do_not_mail") await recordUnwanted(context, id, cause);
    if (admission !== "admitted") return;
    try {
      await context.mailer.send(mail);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      await recordRefusal(context, id, cause);
      return;
    }
    const name = mail.id.replace(/^newsletter-/, "").replace(`-${id}`, "");
    await record(context, id, { type: "RecordAcceptance", mail: name }, cause);
  };
}

/** Ends the subscription of an address whose mailbox is on the do-not-mail list. May be repeated. */
export async function recordUnwanted(
  context: Pick<WorkerContext, "ledger" | "clock">,
  subscriberId: string,
  cause: Cause,
): Promise<void> {
  await record(context, subscriberId, { type: "Unsubscribe", method: "do_not_mail" }, cause);
}

/** Records that a subscriber's address refuses mail permanently. May be repeated. */
export async function recordRefusal(
  context: Pick<WorkerContext, "ledger" | "clock">,
  subscriberId: string,
  cause: Cause,
): Promise<void> {
  await record(context, subscriberId, { type: "RecordBounce", kind: "hard" }, cause);
}

async function record(
  { ledger, clock }: Pick<WorkerContext, "ledger" | "clock">,
  subscriberId: string,
  command: NewsletterCommand,
  cause: Cause,
): Promise<void> {
  const now = instantFromMs(clock());
  const result = await commandSubscriber(ledger, subscriberId, command, { now, cause });
  if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
}

/**
 * Erases addresses that were not confirmed, and those of subscribers who left or became unreachable.
 * The fact comes first, the key second: a confirmation or a new request at the last moment wins by the
 * stream's version, and after a crash between the two the timer of the fact destroys the key.
 */
export function newsletterTimerHandlers({ ledger, subjects }: SubscriberStores): TimerHandlers {
  const erasing =
    (type: NewsletterCommand["type"] & `Erase${string}`): TimerHandler =>
    async (subscriberId, context) => {
      const result = await commandSubscriber(ledger, subscriberId, { type }, context);
      if (result.kind === "refusal") throw new Error(`No subscriber was erased: ${result.code}`);
      if (result.status === "erased") await subjects.shred(subscriberId);
    };
  return {
    [eraseUnconfirmedTimer]: erasing("EraseUnconfirmed"),
    [eraseDepartedTimer]: erasing("EraseDeparted"),
    [mailDeliveredTimer]: async (subscriberId, context) => {
      const command = { type: "RecordDelivery" } as const;
      const result = await commandSubscriber(ledger, subscriberId, command, context);
      if (result.kind === "refusal") throw new Error(`No delivery is recorded: ${result.code}`);
    },
    [destroyKeyTimer]: (subscriberId) => subjects.shred(subscriberId),
  };
}
