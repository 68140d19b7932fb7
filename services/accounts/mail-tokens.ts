import { sealJson, unsealJson } from "@pro-talent/platform/crypto/sealer";
import { tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { parse as parseUuid, stringify as uuidOf } from "uuid";
import { z } from "zod";

import type { AccountKeys } from "./keys.ts";

const hourMs = 60 * 60 * 1000;

/** What a mailed link does, and for how long after its mail was sent. */
export const validMs = {
  invitation: 14 * 24 * hourMs,
  registration: 24 * hourMs,
  reset: hourMs,
  email: 24 * hourMs,
  /** Longer than a recovery takes, which ends it. */
  recovery: 31 * 24 * hourMs,
} as const;
export type MailTokenPurpose = keyof typeof validMs;

export type MailLink = {
  readonly purpose: MailTokenPurpose;
  /** Whose password or address it changes; null for a link that opens an account. */
  readonly accountId: string | null;
  readonly invitationId: string | null;
  /** What the account gets that an invitation opens; 0 for none. */
  readonly discountPercent: number;
  /** Where it was mailed to. */
  readonly email: string;
  readonly language: Locale;
};

/** Pages that read the token from the fragment of their address, which no server receives. */
const pages: Readonly<Record<MailTokenPurpose, string>> = {
  invitation: "/join",
  registration: "/join",
  reset: "/login/reset",
  email: "/login/email",
  recovery: "/login/recovery",
};

/**
 * The token of a mail: its id and a proof that only the service can make, so that each attempt to send the
 * mail has the same token although the database keeps only the hash.
 */
export function mailTokenOf(keys: AccountKeys, purpose: MailTokenPurpose, mailId: string): string {
  const proof = keys.proofOf(`${purpose} ${mailId}`);
  return Buffer.concat([parseUuid(mailId), proof]).toString("base64url");
}

/**
 * The address of a mailed link.
 * @param next where the page leads afterwards, as it was requested; the browser decides whether it may
 */
export function mailLinkUrl(
  origin: string,
  purpose: MailTokenPurpose,
  { token, next }: { token: string; next?: string | undefined },
): string {
  return `${withNext(`${origin}${pages[purpose]}`, next)}#token=${token}`;
}

export const withNext = (url: string, next: string | undefined): string =>
  next === undefined ? url : `${url}?next=${encodeURIComponent(next)}`;

/** The id of the mail that a token was made for. */
const mailOfToken = (token: string): string =>
  uuidOf(Buffer.from(token, "base64url").subarray(0, 16));

const Sealed = z.object({ email: z.string() });

/** Makes the token of a mail valid from now on. One that was used stays used. */
export async function storeMailToken(
  sql: Queryable,
  keys: AccountKeys,
  token: string,
  link: MailLink & { nowMs: number },
): Promise<void> {
  const { purpose, accountId, invitationId, discountPercent, email, language, nowMs } = link;
  const hash = tokenHash(token);
  const keyOf = accountId === null ? { mailId: mailOfToken(token) } : { accountId };
  const sealer = await keys.sealerFor(sql, keyOf, nowMs);
  const expires = new Date(nowMs + validMs[purpose]);
  await sql`
    insert into accounts.mail_token
      (token_hash, purpose, account_id, invitation_id, discount_percent, address_hash, key_id,
       sealed_email, language, expires_at)
    values (${hash}, ${purpose}, ${accountId}::uuid, ${invitationId}::uuid, ${discountPercent},
            ${keys.addressHash(email)}, ${sealer.keyId},
            ${sealJson(sealer, { email }, hash.toString("hex"))}, ${language}, ${expires})
    on conflict (token_hash) do update set expires_at = excluded.expires_at
     where mail_token.used_at is null`;
}

type Row = {
  purpose: MailTokenPurpose;
  account_id: string | null;
  invitation_id: string | null;
  discount_percent: number;
  key_id: string;
  sealed_email: Buffer;
  language: Locale;
  expires_at: Date;
  used_at: Date | null;
};
export type FoundLink = MailLink & { readonly expiresMs: number };

/** Why a token opens nothing; codes of the calls that take one. */
export type MailTokenRefusal = "mail_token_unknown" | "mail_token_ended";

/**
 * What a token opens. In a transaction the row stays locked: of several that use one token at once, the
 * first to {@link useMailToken} has it.
 */
export async function findMailToken(
  sql: Queryable,
  keys: AccountKeys,
  wanted: { token: string; purposes: readonly MailTokenPurpose[]; nowMs: number },
): Promise<FoundLink | MailTokenRefusal> {
  const hash = tokenHash(wanted.token);
  const [row] = await sql<Row[]>`
    select * from accounts.mail_token
     where token_hash = ${hash} and purpose = any (${wanted.purposes}::text[]) for update`;
  if (row === undefined) return "mail_token_unknown";
  const expiresMs = row.expires_at.getTime();
  if (row.used_at !== null || expiresMs <= wanted.nowMs) return "mail_token_ended";
  const sealer = await keys.sealerOf(sql, row.key_id);
  const { email } = unsealJson(sealer, Sealed, row.sealed_email, hash.toString("hex"));
  const { purpose, account_id: accountId, invitation_id: invitationId, language } = row;
  const { discount_percent: discountPercent } = row;
  return { purpose, accountId, invitationId, discountPercent, email, language, expiresMs };
}

/**
 * The invitation that counts for an account of this address: of those that are valid, the one with the
 * highest discount, whichever mailed link opens the account.
 */
export async function findInvitation(
  sql: Queryable,
  keys: AccountKeys,
  email: string,
  nowMs: number,
): Promise<Pick<MailLink, "invitationId" | "discountPercent">> {
  const [row] = await sql<Pick<Row, "invitation_id" | "discount_percent">[]>`
    select invitation_id, discount_percent from accounts.mail_token
     where address_hash = ${keys.addressHash(email)} and purpose = 'invitation'
       and used_at is null and expires_at > ${new Date(nowMs)}::timestamptz
     order by discount_percent desc, expires_at desc limit 1`;
  const { invitation_id: invitationId = null, discount_percent: discountPercent = 0 } = row ?? {};
  return { invitationId, discountPercent };
}

/** Uses a token up. */
export async function useMailToken(sql: Queryable, token: string, nowMs: number): Promise<void> {
  await sql`
    update accounts.mail_token set used_at = ${new Date(nowMs)}::timestamptz
     where token_hash = ${tokenHash(token)} and used_at is null`;
}

/**
 * Ends the links of an account: after a change of its password or its address they are void. Those that
 * refuse a recovery stay.
 */
export async function endMailTokens(
  sql: Queryable,
  accountId: string,
  nowMs: number,
): Promise<void> {
  await sql`
    update accounts.mail_token set used_at = ${new Date(nowMs)}::timestamptz
     where account_id = ${accountId} and used_at is null and purpose <> 'recovery'`;
}
