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
  eraseDepartedTimer,
  eraseUnconfirmedTimer,
  preferencesLinkMessage,
  readSubscriber,
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
  const settings = { links: mailLinks(context), postalAddress };
  const send = sender(context);
  return {
    [confirmAddressMessage]: async (payload, cause) => {
      const { subscriberId, mail } = ConfirmPayload.parse(payload);
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber?.state.status !== "pending" || subscriber.state.mail !== mail) return;
      await send(subscriberId, confirmationMail(subscriber, settings), cause);
    },
    [welcomeMessage]: async (payload, cause) => {
      const { subscriberId } = WelcomePayload.parse(payload);
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber?.state.status !== "confirmed") return;
      await send(subscriberId, welcomeMail(subscriber, settings), cause);
    },
    [preferencesLinkMessage]: async (payload, cause) => {
      const { subscriberId, requestedAt } = LinkPayload.parse(payload);
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber?.state.status !== "confirmed") return;
      await send(subscriberId, preferencesLinkMail(subscriber, settings, requestedAt), cause);
    },
  };
}

/** Sends a mail; an address that is refused permanently is recorded as such and not tried again. */
function sender(context: WorkerContext) {
  return async (subscriberId: string, mail: Mail, cause: Cause): Promise<void> => {
    try {
      await context.mailer.send(mail);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      await recordRefusal(context, subscriberId, cause);
    }
  };
}

/** Records that a subscriber's address refuses mail permanently. May be repeated. */
export async function recordRefusal(
  { ledger, clock }: Pick<WorkerContext, "ledger" | "clock">,
  subscriberId: string,
  cause: Cause,
): Promise<void> {
  const now = instantFromMs(clock());
  const command = { type: "RecordBounce", kind: "hard" } as const;
  const result = await commandSubscriber(ledger, subscriberId, command, { now, cause });
  if (result.kind === "refusal") throw new Error(`The bounce was not recorded: ${result.code}`);
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
    [destroyKeyTimer]: (subscriberId) => subjects.shred(subscriberId),
  };
}
