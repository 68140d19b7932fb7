import { randomUUID } from "node:crypto";

import { type Sealer, sealerWith, unsealJson } from "@pro-talent/platform/crypto/sealer";
import type { Queryable, Sql, Transaction } from "@pro-talent/platform/postgres/pool";
import { Profile } from "@pro-talent/schemas/accounts/profile";

import { sealProfile } from "./accounts.ts";
import { totpBoundTo } from "./factors/authenticators.ts";
import { passkeyBoundTo } from "./factors/passkeys.ts";
import type { AccountKeys } from "./keys.ts";
import { photoOf } from "./profile.ts";
import { formerSealingKey } from "./service-secret.ts";

const FormerProfile = Profile.pick({ fullName: true, phone: true, address: true });

/**
 * Seals what former versions sealed under ACCOUNTS_KEY itself under keys of the accounts and mails. Each
 * account and each mail is one transaction: it may be interrupted anywhere, and repeated. Processes of such
 * a version must not run meanwhile.
 * @returns how many accounts and mails were sealed anew
 */
export async function sealAnew(sql: Sql, keys: AccountKeys, nowMs: number): Promise<number> {
  const former = sealerWith("", formerSealingKey(keys.secret));
  const anew = { keys, former, nowMs };
  let sealed = 0;
  for (const sealNext of [sealNextAccount, sealNextMail, sealNextLink]) {
    while (await sql.begin((tx) => alone(tx, () => sealNext(tx, anew)))) sealed += 1;
  }
  return sealed;
}

/** An account, its mails and its links share a key: processes that start together take turns. */
async function alone(tx: Transaction, step: () => Promise<boolean>): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtextextended('accounts seal anew', 0))`;
  return step();
}

/** How many accounts, mails and links are sealed under ACCOUNTS_KEY itself. */
export async function countFormerSeals(sql: Queryable): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select (select count(*) from accounts.account a where not exists
             (select from accounts.data_key k where k.account_id = a.account_id))
         + (select count(*) from accounts.requested_mail where key_id is null)
         + (select count(*) from accounts.mail_token where key_id is null) as rows`;
  return row?.rows ?? 0;
}

type Anew = { readonly keys: AccountKeys; readonly former: Sealer; readonly nowMs: number };
type AccountRow = {
  account_id: string;
  sealed_email: Buffer;
  sealed_profile: Buffer;
  handle: string | null;
};

/** @returns false when none is left */
async function sealNextAccount(tx: Transaction, { keys, former, nowMs }: Anew): Promise<boolean> {
  const [row] = await tx<AccountRow[]>`
    select account_id, sealed_email, sealed_profile, handle from accounts.account a
     where not exists (select from accounts.data_key k where k.account_id = a.account_id)
     order by account_id limit 1 for update`;
  if (row === undefined) return false;
  const { account_id: accountId, handle } = row;
  const sealer = await keys.sealerFor(tx, { accountId }, nowMs);
  const moved = (sealed: Buffer, boundTo: string): Buffer =>
    sealer.seal(former.unseal(sealed, boundTo), boundTo);
  const profile = unsealJson(former, FormerProfile, row.sealed_profile, accountId);
  await tx`
    update accounts.account
       set sealed_email = ${moved(row.sealed_email, accountId)},
           sealed_profile = ${sealProfile(sealer, accountId, { ...profile, handle })},
           handle_hash = ${handle && keys.handleHash(handle)}::bytea,
           handle = null, handle_skeleton = null
     where account_id = ${accountId}`;
  await movePhotoAndFactors(tx, accountId, moved);
  return true;
}

type Move = (sealed: Buffer, boundTo: string) => Buffer;

async function movePhotoAndFactors(tx: Transaction, accountId: string, moved: Move): Promise<void> {
  const photos = await tx<{ sealed: Buffer }[]>`
    select sealed from accounts.photo where account_id = ${accountId}`;
  for (const { sealed } of photos) {
    await tx`update accounts.photo set sealed = ${moved(sealed, photoOf(accountId))}
              where account_id = ${accountId}`;
  }
  const secrets = await tx<{ sealed_secret: Buffer }[]>`
    select sealed_secret from accounts.totp where account_id = ${accountId}`;
  for (const { sealed_secret: sealed } of secrets) {
    await tx`update accounts.totp set sealed_secret = ${moved(sealed, totpBoundTo(accountId))}
              where account_id = ${accountId}`;
  }
  const passkeys = await tx<{ passkey_id: string; sealed_name: Buffer }[]>`
    select passkey_id, sealed_name from accounts.passkey where account_id = ${accountId}`;
  for (const { passkey_id: id, sealed_name: sealed } of passkeys) {
    await tx`update accounts.passkey set sealed_name = ${moved(sealed, passkeyBoundTo(id))}
              where passkey_id = ${id}`;
  }
}

type MailRow = { mail_id: string; account_id: string | null; sealed: Buffer };

async function sealNextMail(tx: Transaction, { keys, former, nowMs }: Anew): Promise<boolean> {
  const [row] = await tx<MailRow[]>`
    select mail_id, account_id, sealed from accounts.requested_mail
     where key_id is null order by mail_id limit 1 for update`;
  if (row === undefined) return false;
  const { mail_id: mailId, account_id: accountId } = row;
  const keyOf = accountId === null ? { mailId } : { accountId };
  const sealer = await keys.sealerFor(tx, keyOf, nowMs);
  const sealed = sealer.seal(former.unseal(row.sealed, mailId), mailId);
  await tx`
    update accounts.requested_mail set sealed = ${sealed}, key_id = ${sealer.keyId}
     where mail_id = ${mailId}`;
  return true;
}

type LinkRow = { token_hash: Buffer; account_id: string | null; sealed_email: Buffer };

/** Of a link without an account the mail is not known any more: it has a key of its own. */
async function sealNextLink(tx: Transaction, { keys, former, nowMs }: Anew): Promise<boolean> {
  const [row] = await tx<LinkRow[]>`
    select token_hash, account_id, sealed_email from accounts.mail_token
     where key_id is null order by token_hash limit 1 for update`;
  if (row === undefined) return false;
  const { token_hash: hash, account_id: accountId } = row;
  const keyOf = accountId === null ? { mailId: randomUUID() } : { accountId };
  const sealer = await keys.sealerFor(tx, keyOf, nowMs);
  const boundTo = hash.toString("hex");
  const sealed = sealer.seal(former.unseal(row.sealed_email, boundTo), boundTo);
  await tx`
    update accounts.mail_token set sealed_email = ${sealed}, key_id = ${sealer.keyId}
     where token_hash = ${hash}`;
  return true;
}
