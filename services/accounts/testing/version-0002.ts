import { createHmac, randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import { seal } from "@pro-talent/platform/crypto/seal";
import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { parse as parseUuid } from "uuid";

import { handleSkeleton } from "../handles.ts";

/** Applies the migrations up to 0002 to an empty database. */
export async function migrateTo0002(ownerUrl: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "migrations-"));
  const migrations = fileURLToPath(new URL("../migrations", import.meta.url));
  for (const file of await readdir(migrations)) {
    if (file < "0003") await cp(join(migrations, file), join(directory, file));
  }
  const owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
  await migratePostgres(owner, { schema: "accounts", directory });
  await owner.end();
  await rm(directory, { recursive: true });
}

export type Former = {
  readonly accountId: string;
  readonly email: string;
  readonly totpSecret: Buffer;
  readonly resetToken: string;
};

/** Writes an account as version 0002 did, with photo, factors, a mail that waits and a mailed link. */
export async function addFormerAccount(
  sql: Sql,
  accountsKey: Buffer,
  { email, password, handle }: { email: string; password: string; handle: string },
): Promise<Former> {
  const accountId = randomUUID();
  const keyOf = (label: string): Buffer => deriveKey(accountsKey, `accounts-${label}`);
  const sealed = (value: object | Buffer, boundTo: string): Buffer => {
    const plain = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
    return seal(keyOf("seal"), plain, boundTo);
  };
  const hmac = (label: string, text: string): Buffer =>
    createHmac("sha256", keyOf(label)).update(text).digest();
  const [addressHash, now] = [hmac("address", email), new Date(Date.UTC(2026, 10, 22, 12))];
  const passwordHash = await openPasswords(keyOf("password")).hash(password);
  const profile = { fullName: "Noa Levi", phone: "+972 50 555 0100", address: "12 Herzl Street" };
  await sql`
    insert into accounts.account (account_id, address_hash, sealed_email, sealed_profile, language,
      time_zone, handle, handle_skeleton, password_hash, created_at)
    values (${accountId}, ${addressHash}, ${sealed({ email }, accountId)},
      ${sealed(profile, accountId)}, 'en', 'UTC', ${handle}, ${handleSkeleton(handle)}, ${passwordHash},
      ${now})`;
  await sql`insert into accounts.photo (account_id, sealed)
            values (${accountId}, ${sealed(Buffer.from("a photo"), `photo ${accountId}`)})`;
  const totpSecret = Buffer.from("a secret of 20 bytes");
  await sql`insert into accounts.totp (account_id, sealed_secret, begun_at, confirmed_at, last_step)
            values (${accountId}, ${sealed(totpSecret, `totp ${accountId}`)}, ${now}, ${now}, 0)`;
  const passkeyId = randomUUID();
  await sql`
    insert into accounts.passkey (passkey_id, account_id, credential_id, public_key, counter,
      transports, backed_up, sealed_name, created_at)
    values (${passkeyId}, ${accountId}, ${passkeyId}, ${Buffer.of(1)}, 0, '{}', false,
      ${sealed(Buffer.from("my phone"), `passkey ${passkeyId}`)}, ${now})`;
  const waiting = { kind: "password-changed", accountId, email, language: "en" };
  const [mailId, resetId] = [randomUUID(), randomUUID()];
  await sql`
    insert into accounts.requested_mail (mail_id, kind, account_id, sealed, requested_at, due_at)
    values (${mailId}, 'password-changed', ${accountId}, ${sealed(waiting, mailId)}, ${now}, ${now})`;
  const proof = hmac("mail", `reset ${resetId}`);
  const resetToken = Buffer.concat([parseUuid(resetId), proof]).toString("base64url");
  const hash = tokenHash(resetToken);
  await sql`
    insert into accounts.mail_token (token_hash, purpose, account_id, address_hash, sealed_email,
      language, expires_at)
    values (${hash}, 'reset', ${accountId}, ${addressHash}, ${sealed({ email }, hash.toString("hex"))},
      'en', ${new Date(now.getTime() + 3_600_000)})`;
  return { accountId, email, totpSecret, resetToken };
}
