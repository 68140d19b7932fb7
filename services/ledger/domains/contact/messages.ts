import { MailRefused } from "@pro-talent/platform/mail/mailer";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { z } from "zod";

import type { WorkerContext } from "../../kernel/module.ts";
import type { MessageHandlers } from "../../kernel/outbox.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import {
  type ContactStores,
  destroyKeyTimer,
  eraseDetails,
  eraseDetailsTimer,
  expireMessageTimer,
  openContactMessage,
} from "./contact-messages.ts";
import { acknowledgementMail } from "./mails/acknowledgement-mail.ts";
import { notificationMail } from "./mails/notification-mail.ts";

const Payload = z.object({ messageId: Uuid });

/**
 * The mails that follow from a contact message. No mail is sent about a message whose details were
 * erased meanwhile. A mail has the same id at every attempt, so that a repeated one is recognised.
 */
export function contactMessageHandlers(
  context: WorkerContext,
  supportAddress: string,
): MessageHandlers {
  const { mailer, mailboxes, publicOrigin: origin } = context;
  return {
    "contact.notify-support": async (payload) => {
      const received = await openContactMessage(context, Payload.parse(payload).messageId);
      if (received !== undefined) await mailer.send(notificationMail(received, supportAddress));
    },
    "contact.acknowledge": async (payload) => {
      const received = await openContactMessage(context, Payload.parse(payload).messageId);
      if (received === undefined) return;
      const feedbackId = mailboxes.feedbackIdOf(received.details.email);
      const mail = acknowledgementMail(received, { supportAddress, origin, feedbackId });
      // Support has the message all the same.
      if ((await mailboxes.admit(mail.to.address, mail.id)) !== "admitted") return;
      await mailer.send(mail).catch((error: unknown) => {
        // The address accepts no mail; support has the message all the same.
        if (!(error instanceof MailRefused)) throw error;
      });
    },
  };
}

/** The end of a contact message: its details are erased, and it leaves the inbox. */
export function contactTimerHandlers(stores: ContactStores): TimerHandlers {
  return {
    [eraseDetailsTimer]: (id, context) => eraseDetails(stores, id, "EraseContactDetails", context),
    [expireMessageTimer]: (id, context) =>
      eraseDetails(stores, id, "ExpireContactMessage", context),
    [destroyKeyTimer]: (id) => stores.subjects.shred(id),
  };
}
