import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { MessageHandlers } from "../outbox/message-handlers.ts";
import { newsletterLinks } from "./links.ts";
import { confirmationMail } from "./mails/confirmation-mail.ts";
import { welcomeMail } from "./mails/welcome-mail.ts";
import { commandSubscriber, confirmAddressMessage, welcomeMessage } from "./newsletter-command.ts";
import { readSubscriber, type SubscriberSource } from "./read-subscriber.ts";

export type NewsletterMailing = SubscriberSource & {
  readonly mailer: Mailer;
  /** Where the site is, as mails name it. */
  readonly origin: string;
  /** See `newsletterTokenKey`. */
  readonly tokenKey: Buffer;
  readonly clock: Clock;
};

const ConfirmPayload = z.object({ subscriberId: Uuid, mail: z.number().int().positive() });
const WelcomePayload = z.object({ subscriberId: Uuid });

/**
 * The mails that follow from a subscription. Each asks the ledger first whether it is still wanted:
 * a newer mail, a confirmation or an erasure makes it superfluous. A mail has the same id at every
 * attempt, so that a repeated one is recognised.
 */
export function createNewsletterHandlers(mailing: NewsletterMailing): MessageHandlers {
  const links = newsletterLinks(mailing);
  return {
    [confirmAddressMessage]: async (payload) => {
      const { subscriberId, mail } = ConfirmPayload.parse(payload);
      const subscriber = await readSubscriber(mailing, subscriberId);
      if (subscriber?.state.status !== "pending" || subscriber.state.mail !== mail) return;
      await sendTo(mailing, subscriberId, confirmationMail(subscriber, links));
    },
    [welcomeMessage]: async (payload) => {
      const { subscriberId } = WelcomePayload.parse(payload);
      const subscriber = await readSubscriber(mailing, subscriberId);
      if (subscriber?.state.status !== "confirmed") return;
      await sendTo(mailing, subscriberId, welcomeMail(subscriber, links));
    },
  };
}

/** Sends a mail; an address that takes none for good is recorded as such and not tried again. */
async function sendTo(mailing: NewsletterMailing, subscriberId: string, mail: Mail): Promise<void> {
  try {
    await mailing.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await createRefusalRecorder(mailing)(subscriberId);
  }
}

/** Records that a subscriber's address takes no mail. May be repeated. */
export function createRefusalRecorder({
  store,
  clock,
}: Pick<NewsletterMailing, "store" | "clock">): (subscriberId: string) => Promise<void> {
  return async (subscriberId) => {
    const command = { type: "RecordBounce", kind: "hard" } as const;
    const outcome = await commandSubscriber(store, {
      subscriberId,
      command,
      now: instantFromMs(clock()),
    });
    if (outcome.kind === "refusal") throw new Error(`The bounce was not recorded: ${outcome.code}`);
  };
}
