import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { MimeNodeHeaderValue } from "nodemailer/lib/mime-node";

import { fulfilledInTime } from "../runtime/wait.ts";
import { displayName, oneMailbox, smtpServerOf } from "./address.ts";
import { type DkimKey, signedHeaders } from "./dkim.ts";
import { failureOf } from "./mail-failure.ts";
import { encodedWords, subjectLine } from "./text-safety.ts";

export type Mailbox = { readonly name?: string; readonly address: string };

/** A file that is sent with a mail. */
export type Attachment = {
  /** As in `invoice.pdf`: a-z, A-Z, 0-9, dot, dash. */
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  readonly bytes: Buffer;
};

export type Mail = {
  /** Becomes the Message-ID: the same for every attempt, so that repeated mails are recognised. */
  readonly id: string;
  readonly to: Mailbox;
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: Locale;
  /** Where one click unsubscribes, without a page or a question (RFC 8058). */
  readonly unsubscribe?: { readonly url: string };
  /** The list that it belongs to (RFC 2919): a label of a domain, and a name for readers. */
  readonly list?: { readonly label: string; readonly name: string };
  /** Comes back with a complaint (RFC 9477), so that it is known which mailbox complains. */
  readonly feedbackId?: string;
  /** Written by a program: other programs do not answer it (RFC 3834). */
  readonly automatic?: boolean;
  readonly attachments?: readonly Attachment[];
};

/** This mailbox does not exist, or is closed for good: do not try again. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/**
 * The server refuses us or this mail (relay, sign-in, policy, reputation, content): nothing is wrong
 * with the address, and nothing changes until an operator has removed the cause. Try again later.
 */
export class MailRejected extends Error {
  override readonly name = "MailRejected";
}

/**
 * The whole mail was handed over, but no answer came: it may have been delivered. Each further attempt
 * may be a further copy.
 */
export class MailUncertain extends Error {
  override readonly name = "MailUncertain";
}

/** The mail was not delivered: try again later. */
export class MailDelayed extends Error {
  override readonly name = "MailDelayed";
}

export type Mailer = {
  /**
   * Passes a mail to the mail server.
   * @throws {MailRefused} when the mailbox does not exist
   * @throws {MailRejected} when the server refuses us or this mail
   * @throws {MailUncertain} when it may have been delivered
   * @throws {MailDelayed} when a later attempt may succeed
   */
  readonly send: (mail: Mail) => Promise<void>;
  /** Whether the mail server answers within two seconds, and accepts the sign-in. */
  readonly reachable: () => Promise<boolean>;
  /** Waits for the mails that are being sent, then closes the connections. */
  readonly close: () => Promise<void>;
};

export type MailerOptions = {
  /** `smtp://` (encrypted as soon as the server can) or `smtps://`, with user and password if needed. */
  readonly smtpUrl: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Signs every mail. */
  readonly dkim?: DkimKey;
  /** How long connecting may take. */
  readonly connectMs?: number;
  /** How long the server may be silent: some check a mail for a while before they accept it. */
  readonly silenceMs?: number;
};

/** Sending takes no longer, also if the server answers something from time to time. */
const deliveryMs = 120_000;
const connectionsMax = 3;

/** Sends mail through one SMTP server, over a few connections that stay open. */
export function connectMailer(options: MailerOptions): Mailer {
  const { smtpUrl, from, dkim, connectMs = 10_000, silenceMs = 60_000 } = options;
  const sender = { name: displayName(from.name) ?? "", address: senderAddress(from.address) };
  const transport = createTransport({
    ...smtpServerOf(smtpUrl),
    pool: true,
    maxConnections: connectionsMax,
    // Only what had not begun to be sent is sent again here; everything else is left to the outbox.
    maxRequeues: 1,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim === undefined ? {} : { dkim: signatureOf(dkim) }),
  });
  // Each failure rejects the mail that it belongs to; a connection that ends between mails has none.
  transport.on("error", () => undefined);
  const handedOver = new WeakSet<object>();
  transport.use("stream", ({ message, data }, done) => {
    encodeLookAlikes(message);
    const read = message.createReadStream.bind(message);
    message.createReadStream = (options) =>
      read(options).once("end", () => data.signal && handedOver.add(data.signal));
    done();
  });
  const sending = new Set<Promise<unknown>>();
  const send = async (mail: Mail): Promise<void> => {
    const signal = AbortSignal.timeout(deliveryMs);
    const message = { ...messageOf(mail, sender), signal };
    const sent = transport.sendMail(message);
    sending.add(sent);
    try {
      await sent;
    } catch (error) {
      throw errorOf(failureOf(error, handedOver.has(signal)));
    } finally {
      sending.delete(sent);
    }
  };
  return {
    send,
    reachable: () => fulfilledInTime(transport.verify()),
    close: async () => {
      await Promise.allSettled(sending);
      transport.close();
    },
  };
}

function signatureOf({ domain, selector, privateKey }: DkimKey) {
  return {
    domainName: domain,
    keySelector: selector,
    privateKey,
    headerFieldNames: signedHeaders,
  };
}

function errorOf({ verdict, reason }: ReturnType<typeof failureOf>): Error {
  if (verdict === "address") return new MailRefused(reason);
  if (verdict === "unknown") return new MailUncertain(reason);
  return verdict === "ours" ? new MailRejected(reason) : new MailDelayed(reason);
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
    ...(mail.attachments === undefined ? {} : { attachments: mail.attachments.map(attachmentOf) }),
    headers: {
      "Content-Language": mail.language,
      ...(mail.list === undefined ? {} : { "List-Id": listId(mail.list, from.address) }),
      ...(mail.unsubscribe === undefined ? {} : unsubscribeHeaders(mail.unsubscribe.url)),
      ...(mail.feedbackId === undefined ? {} : feedbackHeader(mail.feedbackId)),
      ...(mail.automatic === true ? automaticHeaders : {}),
    },
  };
}

function attachmentOf({ name, type, bytes }: Attachment) {
  if (!/^[\w.-]{1,100}$/.test(name))
    throw new TypeError("A file's name has only a-z, A-Z, 0-9, . _ -");
  return { filename: name, contentType: type, content: bytes };
}

function mailboxOf({ name, address }: Mailbox): { name: string; address: string } {
  const mailbox = oneMailbox(address);
  if (mailbox === undefined) throw new MailRefused("not one mailbox");
  return { name: displayName(name ?? "") ?? "", address: mailbox };
}

type HeaderWriter = { encodeHeaderValue: (key: string, value: MimeNodeHeaderValue) => string };

/**
 * Nodemailer passes on what is an encoded word already (RFC 2047), in a subject bare and in a name in
 * quotes, where many programs decode it as well: a visitor could have other characters shown than
 * were typed. Here such text is encoded once more, so that it arrives as it is.
 */
function encodeLookAlikes(writer: HeaderWriter): void {
  const write = writer.encodeHeaderValue.bind(writer);
  writer.encodeHeaderValue = (key, value) => {
    if (key === "Subject" && typeof value === "string" && value.includes("=?")) {
      return encodedWords(value);
    }
    return write(key, value).replace(/^"([^"]*=\?[^"]*)"(?= <)/, (_quoted, name: string) =>
      encodedWords(name),
    );
  };
}

/** A longer line is not allowed in a mail (RFC 5322 §2.1.1). */
const urlCharsMax = 900;

/** The identity of a mailing list, in the sender's domain. Not folded, as some programs compare it. */
function listId({ label, name }: NonNullable<Mail["list"]>, sender: string) {
  if (!/^[a-z-]{1,63}$/.test(label) || !/^[A-Za-z ]{1,100}$/.test(name)) {
    throw new TypeError("A list has a label and a name of a-z and A-Z.");
  }
  return { prepared: true, value: `${name} <${label}.${domainOf(sender)}>` };
}

const domainOf = (sender: string): string => sender.slice(sender.indexOf("@") + 1);

/** The Message-ID of a mail, in the sender's domain. */
function messageIdOf(id: string, sender: string): string {
  if (!/^[\w.-]{1,100}$/.test(id)) throw new TypeError("A mail's id has only a-z, A-Z, 0-9, . _ -");
  return `<${id}@${domainOf(sender)}>`;
}

/**
 * Unsubscribing with one click (RFC 8058). Not folded: a folded address breaks the signature that
 * some servers put over the headers.
 */
function unsubscribeHeaders(url: string) {
  const { protocol, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || href.length > urlCharsMax) {
    throw new TypeError("Unsubscribing needs a short web address.");
  }
  return {
    "List-Unsubscribe": { prepared: true, value: `<${href}>` },
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Not folded, so that it comes back as it is. */
function feedbackHeader(id: string) {
  if (!/^[\w-]{1,100}$/.test(id)) throw new TypeError("A feedback id has only a-z, A-Z, 0-9, _ -");
  return { "CFBL-Feedback-ID": { prepared: true, value: id } };
}

/** Marks a mail as written by a program, so that other programs do not answer it (RFC 3834). */
const automaticHeaders = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
};
