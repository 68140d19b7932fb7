import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { createTransport, type SendMailOptions } from "nodemailer";

import { fulfilledInTime } from "../runtime/wait.ts";
import { displayName, oneMailbox } from "./address.ts";
import { failureOf } from "./mail-failure.ts";
import { automaticHeaders, messageIdOf, unsubscribeHeaders } from "./mail-headers.ts";
import { smtpServerOf } from "./smtp-server-of.ts";
import { subjectLine } from "./subject-line.ts";

export type Mailbox = { readonly name?: string; readonly address: string };

export type Mail = {
  /** Becomes the Message-ID: the same for every attempt, so that a repeated mail is known as one. */
  readonly id: string;
  readonly to: Mailbox;
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: Locale;
  /** Where one click ends the subscription, without a page or a question (RFC 8058). */
  readonly unsubscribe?: { readonly url: string };
  /** Nobody wrote it: other programs do not answer it (RFC 3834). */
  readonly automatic?: boolean;
};

/** The server refused this recipient or this mail for good: do not try again. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** The mail did not get through now: try again later. */
export class MailDelayed extends Error {
  override readonly name = "MailDelayed";
}

export type Mailer = {
  /**
   * Hands a mail to the mail server.
   * @throws {MailRefused} when it will never be taken
   * @throws {MailDelayed} when a later attempt may succeed
   */
  readonly send: (mail: Mail) => Promise<void>;
  /** Whether the mail server answers within two seconds, and lets us in. */
  readonly reachable: () => Promise<boolean>;
  /** Lets the mails that are on their way arrive, then hangs up. */
  readonly close: () => Promise<void>;
};

export type MailerOptions = {
  /** `smtp://` (encrypted as soon as the server can) or `smtps://`, with user and password if needed. */
  readonly smtpUrl: string;
  readonly from: { readonly name: string; readonly address: string };
  /** How long connecting may take. */
  readonly connectMs?: number;
  /** How long the server may be silent: some read a mail for a while before they take it. */
  readonly silenceMs?: number;
};

/** No mail is on its way longer, also if the server sends a sign from time to time. */
const deliveryMs = 120_000;
const connectionsMax = 3;

/** Sends mail through one SMTP server, over a few connections that stay open. */
export function connectMailer(options: MailerOptions): Mailer {
  const { smtpUrl, from, connectMs = 10_000, silenceMs = 60_000 } = options;
  const sender = { name: displayName(from.name) ?? "", address: senderAddress(from.address) };
  const transport = createTransport({
    ...smtpServerOf(smtpUrl),
    pool: true,
    maxConnections: connectionsMax,
    // Only what had not begun to be sent is sent again here; everything else is the outbox's.
    maxRequeues: 1,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Every failure is the answer to one mail; a connection that ends between mails is none.
  transport.on("error", () => undefined);
  const underway = new Set<Promise<unknown>>();
  const send = async (mail: Mail): Promise<void> => {
    const message = { ...messageOf(mail, sender), signal: AbortSignal.timeout(deliveryMs) };
    const sent = transport.sendMail(message);
    underway.add(sent);
    try {
      await sent;
    } catch (error) {
      const { forGood, reason } = failureOf(error);
      throw forGood ? new MailRefused(reason) : new MailDelayed(reason);
    } finally {
      underway.delete(sent);
    }
  };
  return {
    send,
    reachable: () => fulfilledInTime(transport.verify()),
    close: async () => {
      await Promise.allSettled(underway);
      transport.close();
    },
  };
}

type Sender = { readonly name: string; readonly address: string };

function senderAddress(address: string): string {
  const mailbox = oneMailbox(address);
  if (mailbox === undefined) throw new TypeError("The sender's address is not one mailbox.");
  return mailbox;
}

function messageOf(mail: Mail, from: Sender): SendMailOptions {
  return {
    from: { ...from },
    to: mailboxOf(mail.to),
    ...(mail.replyTo === undefined ? {} : { replyTo: mailboxOf(mail.replyTo) }),
    subject: subjectLine(mail.subject),
    messageId: messageIdOf(mail.id, from.address),
    text: mail.text,
    html: mail.html,
    xMailer: false,
    headers: {
      "Content-Language": mail.language,
      ...(mail.unsubscribe === undefined ? {} : unsubscribeHeaders(mail.unsubscribe.url)),
      ...(mail.automatic === true ? automaticHeaders : {}),
    },
  };
}

function mailboxOf({ name, address }: Mailbox): { name: string; address: string } {
  const mailbox = oneMailbox(address);
  if (mailbox === undefined) throw new MailRefused("not one mailbox");
  return { name: displayName(name ?? "") ?? "", address: mailbox };
}
