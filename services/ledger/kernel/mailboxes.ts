import { createHmac, timingSafeEqual } from "node:crypto";

import { normaliseMailbox } from "@pro-talent/platform/mail/normalise-email";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import { z } from "zod";

/** Why a mailbox receives nothing more: the link in a mail, a complaint, or a request to the operator. */
export type BlockReason = "never_again" | "complaint" | "operator";

/** `used_up`: the mailbox was sent the mails of a day. `do_not_mail`: it is on the do-not-mail list. */
const Admission = z.enum(["admitted", "used_up", "do_not_mail"]);
export type Admission = z.infer<typeof Admission>;

/**
 * The limits of mail to one mailbox, whatever name of it was entered. The database holds keyed hashes
 * of mailboxes, never an address, and the do-not-mail list outlives the erasure of its subscriber.
 */
export type Mailboxes = {
  /** What a mailbox is known by: 32 bytes, the same for all of its names. */
  readonly hashOf: (email: string) => Buffer;
  /**
   * Whether a mail may be sent; to be asked before every attempt.
   * @param countedAs for a mail that any visitor can request: its id. The same mail counts once
   */
  readonly admit: (email: string, countedAs: string | undefined) => Promise<Admission>;
  /** Whether a new request would lead to no mail, because of the day's limit. */
  readonly isUsedUp: (email: string) => Promise<boolean>;
  /**
   * The mailbox as a text that no other program can make. In the headers of its mails it comes back with
   * a complaint, also when the address was erased long before.
   */
  readonly feedbackIdOf: (email: string) => string;
  /** The mailbox of such a text; undefined for every other one. */
  readonly ofFeedbackId: (text: string) => Buffer | undefined;
  /** Adds a mailbox to the do-not-mail list. May be repeated. */
  readonly block: (mailbox: Buffer, reason: BlockReason) => Promise<void>;
};

/** Mails on a visitor's request that one mailbox receives within a day, of all kinds together. */
export const mailsPerDay = 5;

/** The label of the key that hashes mailboxes. */
export const mailboxKeyLabel = "mailbox";

/**
 * @param sql a pool of the role `ledger_app`
 * @param keys 32 bytes each, derived for {@link mailboxKeyLabel}: the present one, then those of former
 * secrets. An entry that was made with one of these is repeated with the present one when it is met
 */
export function openMailboxes(
  sql: Sql,
  [key, ...formerKeys]: readonly [Buffer, ...Buffer[]],
): Mailboxes {
  const block = async (mailbox: Buffer, reason: BlockReason): Promise<void> => {
    await sql`select ledger.block_mailbox(${mailbox}, ${reason})`;
  };
  const repeatFormer = async (email: string): Promise<void> => {
    for (const former of formerKeys) {
      const entry = await findBlocked(sql, hashOf(email, former));
      if (entry !== undefined) await block(hashOf(email, key), entry.reason);
    }
  };
  return {
    hashOf: (email) => hashOf(email, key),
    admit: async (email, countedAs) => {
      await repeatFormer(email);
      const mailbox = hashOf(email, key);
      if (countedAs === undefined) {
        return (await findBlocked(sql, mailbox)) === undefined ? "admitted" : "do_not_mail";
      }
      const [row] = await sql<{ admission: string }[]>`
        select ledger.admit_mail(${mailbox}, ${countedAs}, ${mailsPerDay}) as admission`;
      return Admission.parse(row?.admission);
    },
    isUsedUp: async (email) => {
      const rows = await sql`
        select from ledger.mailbox_mail
         where mailbox = ${hashOf(email, key)} and counted_at > (select ledger.now()) - interval '1 day'`;
      return rows.length >= mailsPerDay;
    },
    feedbackIdOf: (email) => {
      const mailbox = hashOf(email, key);
      return Buffer.concat([mailbox, proof(key, mailbox)]).toString("base64url");
    },
    ofFeedbackId: (text) => {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length !== hashBytes + proofBytes) return undefined;
      const mailbox = bytes.subarray(0, hashBytes);
      const given = bytes.subarray(hashBytes);
      const isOurs = [key, ...formerKeys].some((by) => timingSafeEqual(proof(by, mailbox), given));
      return isOurs ? mailbox : undefined;
    },
    block,
  };
}

const hashOf = (email: string, by: Buffer): Buffer =>
  createHmac("sha256", by).update(normaliseMailbox(email)).digest();

const hashBytes = 32;
const proofBytes = 16;

/** No mailbox has this prefix, so that no hash of one is a proof. */
function proof(key: Buffer, mailbox: Buffer): Buffer {
  return createHmac("sha256", key)
    .update("feedback @@")
    .update(mailbox)
    .digest()
    .subarray(0, proofBytes);
}

/** The entry of a mailbox on the do-not-mail list. */
export async function findBlocked(
  sql: Queryable,
  mailbox: Buffer,
): Promise<{ reason: BlockReason; addedAt: Date } | undefined> {
  const [row] = await sql<{ reason: BlockReason; addedAt: Date }[]>`
    select reason, added_at as "addedAt" from ledger.do_not_mail where mailbox = ${mailbox}`;
  return row;
}

/** Takes a mailbox off the do-not-mail list: its holder asks for it. @param sql as an operator */
export async function releaseMailbox(
  sql: Queryable,
  keys: readonly Buffer[],
  email: string,
): Promise<void> {
  for (const key of keys)
    await sql`delete from ledger.do_not_mail where mailbox = ${hashOf(email, key)}`;
}

/** Forgets the counted mails of earlier days. */
export const forgetMailsJob = defineJob({
  name: "ledger.forget-mailbox-mails",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** @param sql a pool of the role `ledger_app` */
export function handleForgetMails(sql: Sql): RunnableJob {
  return handleJob(forgetMailsJob, async () => {
    await sql`select ledger.forget_mailbox_mails()`;
  });
}
