import { sealJson } from "@pro-talent/platform/crypto/sealer";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { NextPath } from "@pro-talent/schemas/accounts/sign-in";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import { Invitation } from "@pro-talent/schemas/waitlist/events";
import { v7 as uuidV7 } from "uuid";
import { z } from "zod";

import type { AccountKeys } from "./keys.ts";

const to = { email: z.string(), language: Locale };
/** The holder of an account, at the address that they have when the mail is requested. */
const holder = { ...to, accountId: z.uuid() };

/** What happened to a second factor. */
export const factorChanges = [
  "authenticator-added",
  "authenticator-removed",
  "passkey-added",
  "passkey-removed",
  "recovery-codes-replaced",
  "recovery-code-used",
] as const;

/** A mail to be written and sent by the worker; which one it becomes may depend on what is known then. */
export const RequestedMail = z.discriminatedUnion("kind", [
  /** Anyone may have entered the address: the worker decides what to write, if anything. */
  z.object({ kind: z.literal("registration"), ...to, next: NextPath.optional() }),
  z.object({ kind: z.literal("reset"), ...to, next: NextPath.optional() }),
  z.object({
    kind: z.literal("invitation"),
    ...to,
    ...Invitation.pick({ occasion: true, discountPercent: true }).shape,
  }),
  /** To an invited person who has an account already. */
  z.object({
    kind: z.literal("launch-notice"),
    ...holder,
    ...Invitation.pick({ discountPercent: true }).shape,
  }),
  z.object({ kind: z.literal("password-changed"), ...holder }),
  z.object({
    kind: z.literal("new-device"),
    ...holder,
    browser: z.string().nullable(),
    system: z.string().nullable(),
    timeZone: z.string(),
    atMs: z.number(),
  }),
  z.object({ kind: z.literal("factor"), ...holder, change: z.enum(factorChanges) }),
  /** A recovery was requested, and when its factors are removed. */
  z.object({ kind: z.literal("recovery"), ...holder, timeZone: z.string(), atMs: z.number() }),
  z.object({ kind: z.literal("recovery-done"), ...holder }),
  z.object({ kind: z.literal("recovery-refused"), ...holder }),
  /** To a new address, for the account that asks for it. */
  z.object({ kind: z.literal("new-address"), ...holder }),
  /** To the address that the account had before. */
  z.object({ kind: z.literal("address-changed"), ...holder }),
]);
export type RequestedMail = z.infer<typeof RequestedMail>;

/**
 * Writes down that a mail is to be sent; in a transaction, with what it reports.
 * @param request.mailId another one unless the mail is repeated
 */
export async function requestMail(
  sql: Queryable,
  keys: AccountKeys,
  mail: RequestedMail,
  { nowMs, mailId = uuidV7() }: { nowMs: number; mailId?: string },
): Promise<void> {
  const now = new Date(nowMs);
  const accountId = "accountId" in mail ? mail.accountId : null;
  const keyOf = accountId === null ? { mailId } : { accountId };
  const sealer = await keys.sealerFor(sql, keyOf, nowMs);
  await sql`
    insert into accounts.requested_mail
      (mail_id, kind, account_id, key_id, sealed, requested_at, due_at)
    values (${mailId}, ${mail.kind}, ${accountId}::uuid, ${sealer.keyId},
            ${sealJson(sealer, mail, mailId)}, ${now}, ${now})`;
}
