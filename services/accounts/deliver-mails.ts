import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

import { findCredentials } from "./accounts.ts";
import { mailRule } from "./attempts.decider.ts";
import { countAttemptIn } from "./attempts.ts";
import { type AccountKeys, unsealJson } from "./keys.ts";
import {
  type MailLink,
  mailLinkUrl,
  type MailTokenPurpose,
  mailTokenOf,
  storeMailToken,
  withNext,
} from "./mail-tokens.ts";
import { type LinkMailKind, linkMail, noticeMail } from "./mails/account-mails.ts";
import { RequestedMail } from "./requested-mails.ts";

export type MailDelivery = {
  readonly sql: Sql;
  readonly keys: AccountKeys;
  readonly mailer: Pick<Mailer, "send">;
  readonly publicOrigin: string;
  /** Receives the kind of a mail that is given up. */
  readonly onGivenUp?: (kind: string) => void;
};

/** For about 34 hours. */
const attemptsMax = 12;
const firstWaitMs = 30_000;
const waitMsMax = 6 * 60 * 60_000;
/** Longer than sending takes: until then no other worker takes the mail. */
const leaseMs = 5 * 60_000;
const batchSize = 4;

type Taken = { mail_id: string; kind: string; sealed: Buffer; attempts: number };

/**
 * Writes and sends the mails that are due, each until the mail server has taken it. A sent one is deleted
 * with the address in it.
 * @returns how many were due
 */
export async function deliverMails(delivery: MailDelivery, nowMs: number): Promise<number> {
  const { sql } = delivery;
  const now = new Date(nowMs);
  const due = await sql<Taken[]>`
    with due as materialized (
      select mail_id from accounts.requested_mail
       where given_up_at is null and due_at <= ${now}::timestamptz
       order by due_at limit ${batchSize} for update skip locked)
    update accounts.requested_mail m
       set attempts = m.attempts + 1, due_at = ${new Date(nowMs + leaseMs)}::timestamptz
      from due where m.mail_id = due.mail_id
    returning m.mail_id, m.kind, m.sealed, m.attempts`;
  const results = await Promise.allSettled(due.map((taken) => deliver(delivery, taken, nowMs)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return due.length;
}

/** @throws when the mail was not sent, after its next attempt was set */
async function deliver(delivery: MailDelivery, taken: Taken, nowMs: number): Promise<void> {
  const { sql, keys, mailer } = delivery;
  const { mail_id: mailId } = taken;
  try {
    const requested = unsealJson(keys, RequestedMail, taken.sealed, mailId);
    const mail = await sql.begin((tx) => compose(delivery, tx, { requested, mailId, nowMs }));
    if (mail !== undefined) await mailer.send(mail);
  } catch (error) {
    // A mailbox that does not exist is no reason to try again.
    if (!(error instanceof MailRefused)) {
      await setNextAttempt(delivery, taken, nowMs);
      throw error;
    }
  }
  await sql`delete from accounts.requested_mail where mail_id = ${mailId}`;
}

async function setNextAttempt(
  { sql, onGivenUp }: MailDelivery,
  { mail_id: mailId, kind, attempts }: Taken,
  nowMs: number,
): Promise<void> {
  const isLast = attempts >= attemptsMax;
  const wait = Math.min(firstWaitMs * 2 ** (attempts - 1), waitMsMax);
  await sql`
    update accounts.requested_mail
       set due_at = ${new Date(nowMs + wait)}, given_up_at = ${isLast ? new Date(nowMs) : null}::timestamptz
     where mail_id = ${mailId}`;
  if (isLast) onGivenUp?.(kind);
}

type Composing = {
  readonly requested: RequestedMail;
  readonly mailId: string;
  readonly nowMs: number;
};

/** What is to be mailed, as far as is known now; undefined when nothing is. */
async function compose(
  delivery: MailDelivery,
  tx: Queryable,
  composing: Composing,
): Promise<Mail | undefined> {
  const { keys, publicOrigin } = delivery;
  const { requested, mailId } = composing;
  const { kind, email } = requested;
  const to = { mailId, email, language: requested.language };
  if (
    kind !== "registration" &&
    kind !== "reset" &&
    kind !== "invitation" &&
    kind !== "new-address"
  ) {
    return noticeMail(to, requested, publicOrigin);
  }
  // An invitation is the product's own; everything else can be requested by anyone.
  if (kind !== "invitation" && !(await isWithinLimit(delivery, tx, composing))) return undefined;
  const known = await findCredentials(tx, keys.addressHash(email));
  if (kind === "reset") {
    if (known?.isOpen !== true) return undefined;
    return withLink(delivery, tx, composing, {
      mail: "reset",
      purpose: "reset",
      accountId: known.accountId,
    });
  }
  const next = nextOf(requested);
  if (known !== undefined)
    return linkMail(to, "accountExists", { url: withNext(`${publicOrigin}/login`, next) });
  if (kind === "new-address") {
    const { accountId } = requested;
    return withLink(delivery, tx, composing, { mail: "newAddress", purpose: "email", accountId });
  }
  if (kind === "invitation") {
    const { occasion, discountPercent } = requested;
    const mail = occasion === "launch" ? "launch" : "invitation";
    const link = { mail, purpose: "invitation", accountId: null, discountPercent } as const;
    return withLink(delivery, tx, composing, link);
  }
  return withLink(delivery, tx, composing, { mail: kind, purpose: kind, accountId: null });
}

/** Where the person was going when they asked for the mail. */
const nextOf = (requested: RequestedMail): string | undefined =>
  requested.kind === "registration" ? requested.next : undefined;

/** Five mails a day for one address; repeated attempts to send one count once. */
async function isWithinLimit(
  { keys }: MailDelivery,
  tx: Queryable,
  { requested, mailId, nowMs }: Composing,
): Promise<boolean> {
  const [row] = await tx<{ attempts: number }[]>`
    select attempts from accounts.requested_mail where mail_id = ${mailId}`;
  if ((row?.attempts ?? 1) > 1) return true;
  const address = keys.addressHash(requested.email).toString("hex");
  const limit = { key: keys.keyedHash("mail", address), rule: mailRule };
  return (await countAttemptIn(tx, [limit], nowMs)) === undefined;
}

/** Makes the token of the mail valid, and writes it into the link. */
async function withLink(
  { keys, publicOrigin }: MailDelivery,
  tx: Queryable,
  { requested, mailId, nowMs }: Composing,
  link: {
    mail: LinkMailKind;
    purpose: MailTokenPurpose;
    accountId: MailLink["accountId"];
    discountPercent?: number;
  },
): Promise<Mail> {
  const { mail, purpose, accountId, discountPercent = 0 } = link;
  const { email, language } = requested;
  const token = mailTokenOf(keys, purpose, mailId);
  const invitationId = purpose === "invitation" ? mailId : null;
  const stored = { purpose, accountId, invitationId, email, language, nowMs };
  await storeMailToken(tx, keys, token, stored);
  const next = nextOf(requested);
  const url = mailLinkUrl(publicOrigin, purpose, { token, next });
  return linkMail({ mailId, email, language }, mail, { url, discountPercent });
}
