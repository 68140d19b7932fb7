import { unsealJson } from "@pro-talent/platform/crypto/sealer";
import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

import { addressOf, type Credentials, findCredentials } from "./accounts.ts";
import { mailRule } from "./attempts.decider.ts";
import { countAttemptIn } from "./attempts.ts";
import type { AccountKeys } from "./keys.ts";
import {
  type MailLink,
  mailLinkUrl,
  type MailTokenPurpose,
  mailTokenOf,
  storeMailToken,
  withNext,
} from "./mail-tokens.ts";
import {
  launchNotice,
  type LinkMailKind,
  linkMail,
  noticeMail,
  recoveryMail,
} from "./mails/account-mails.ts";
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

type Taken = { mail_id: string; kind: string; key_id: string; sealed: Buffer; attempts: number };

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
    returning m.mail_id, m.kind, m.key_id, m.sealed, m.attempts`;
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
    const sealer = await keys.sealerOf(sql, taken.key_id);
    const requested = unsealJson(sealer, RequestedMail, taken.sealed, mailId);
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

const linkKinds = ["registration", "reset", "invitation", "new-address"] as const;
type WithLink = Extract<RequestedMail, { kind: (typeof linkKinds)[number] }>;
const isWithLink = (requested: RequestedMail): requested is WithLink =>
  linkKinds.some((kind) => kind === requested.kind);

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
  if (kind === "launch-notice") {
    return launchNotice(to, requested.discountPercent, publicOrigin);
  }
  if (kind === "recovery") {
    const { accountId } = requested;
    const url = await linkTo(delivery, tx, composing, { purpose: "recovery", accountId });
    return recoveryMail(to, requested, url);
  }
  if (!isWithLink(requested)) return noticeMail(to, requested, publicOrigin);
  // An invitation is the product's own; everything else can be requested by anyone.
  if (kind !== "invitation" && !(await isWithinLimit(delivery, tx, composing))) return undefined;
  const known = await findCredentials(tx, keys.addressHash(email));
  if (known !== undefined) return mailKnown(delivery, tx, composing, known);
  if (kind === "reset") return undefined;
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
  const link = { mail: "registration", purpose: "registration", accountId: null } as const;
  return withLink(delivery, tx, composing, link);
}

/**
 * To an address that has an account. It goes to the account's own spelling: the entered one may be another
 * mailbox, of a person who looks for a way in.
 */
async function mailKnown(
  delivery: MailDelivery,
  tx: Queryable,
  composing: Composing,
  { accountId, isOpen }: Credentials,
): Promise<Mail | undefined> {
  const { requested, mailId } = composing;
  const email = await addressOf(tx, delivery.keys, accountId);
  if (email === undefined) return undefined;
  if (requested.kind === "reset") {
    if (!isOpen) return undefined;
    const own = { ...composing, requested: { ...requested, email } };
    return withLink(delivery, tx, own, { mail: "reset", purpose: "reset", accountId });
  }
  const to = { mailId, email, language: requested.language };
  // Opened since the invitation was requested: the account has its discount.
  if (requested.kind === "invitation" && requested.occasion === "launch") {
    return launchNotice(to, requested.discountPercent, delivery.publicOrigin);
  }
  const url = withNext(`${delivery.publicOrigin}/login`, nextOf(requested));
  return linkMail(to, "accountExists", { url });
}

/** Where the person was going when they asked for the mail. */
const nextOf = (requested: RequestedMail): string | undefined =>
  "next" in requested ? requested.next : undefined;

/** The limit of one address; repeated attempts to send one mail count once. */
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

type Link = {
  readonly purpose: MailTokenPurpose;
  readonly accountId: MailLink["accountId"];
  readonly discountPercent?: number;
};

/** Makes the token of the mail valid. @returns the address of the link with it */
async function linkTo(
  { keys, publicOrigin }: MailDelivery,
  tx: Queryable,
  { requested, mailId, nowMs }: Composing,
  { purpose, accountId, discountPercent = 0 }: Link,
): Promise<string> {
  const { email, language } = requested;
  const token = mailTokenOf(keys, purpose, mailId);
  const invitationId = purpose === "invitation" ? mailId : null;
  const stored = { purpose, accountId, invitationId, discountPercent, email, language, nowMs };
  await storeMailToken(tx, keys, token, stored);
  return mailLinkUrl(publicOrigin, purpose, { token, next: nextOf(requested) });
}

async function withLink(
  delivery: MailDelivery,
  tx: Queryable,
  composing: Composing,
  link: Link & { readonly mail: LinkMailKind },
): Promise<Mail> {
  const { requested, mailId } = composing;
  const { email, language } = requested;
  const url = await linkTo(delivery, tx, composing, link);
  const { mail, discountPercent = 0 } = link;
  return linkMail({ mailId, email, language }, mail, { url, discountPercent });
}
