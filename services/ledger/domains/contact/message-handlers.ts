import { type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { z } from "zod";

import type { MessageHandlers } from "../outbox/message-handlers.ts";
import { acknowledgementMail } from "./mails/acknowledgement-mail.ts";
import { notificationMail } from "./mails/notification-mail.ts";
import { type ContactStores, openLetter } from "./open-letter.ts";

const Payload = z.object({ messageId: Uuid });

export type ContactMailing = ContactStores & {
  readonly mailer: Mailer;
  readonly supportAddress: string;
  /** Where the site is, as mails name it. */
  readonly origin: string;
};

/**
 * The mails that follow from a message, and the erasure of its letter in the end. About a letter that was erased meanwhile nobody is written
 * to. A mail has the same id at every attempt, so that a repeated one is recognised.
 */
export function createContactHandlers(mailing: ContactMailing): MessageHandlers {
  const { mailer, supportAddress } = mailing;
  return {
    "contact.notify-support": async (payload) => {
      const received = await openLetter(mailing, Payload.parse(payload).messageId);
      if (received !== undefined) await mailer.send(notificationMail(received, supportAddress));
    },
    "contact.acknowledge": async (payload) => {
      const received = await openLetter(mailing, Payload.parse(payload).messageId);
      if (received === undefined) return;
      await mailer.send(acknowledgementMail(received, mailing)).catch((error: unknown) => {
        // The address takes no mail; what was written is with support all the same.
        if (!(error instanceof MailRefused)) throw error;
      });
    },
    "contact.erase-letter": async (payload) => {
      await mailing.subjects.shred(Payload.parse(payload).messageId);
    },
  };
}
