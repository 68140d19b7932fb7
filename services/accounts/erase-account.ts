import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { internalClosingCalls } from "@pro-talent/schemas/accounts/internal-calls";

import { readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";
import { contactIn } from "./internal-calls.ts";

/** Tables whose rows are an account's; each is deleted with the row of the account. */
const ownTables = [
  "access_token",
  "account",
  "account_opening",
  "challenge",
  "data_key",
  "known_device",
  "launch_notice",
  "links_looked",
  "mail_token",
  "passkey",
  "photo",
  "public_page",
  "recovery_code",
  "requested_mail",
  "sign_in_session",
  "totp",
] as const;

/** What the ledger asks for when it erases an account. */
export function closingHandlers({
  sql,
  keys,
}: Pick<AccountsContext, "sql" | "keys">): CallHandlers<typeof internalClosingCalls> {
  return {
    "GET /internal/accounts/:accountId/closing": async ({ params: { accountId } }) =>
      contactIn(await readHolder(sql, keys, accountId, ["open", "closed"])),
    "POST /internal/accounts/:accountId/closing": async ({ params: { accountId } }) => {
      await sql.begin((tx) => closeAccount(tx, accountId));
      return { status: "closed" as const };
    },
    "DELETE /internal/accounts/:accountId": ({ params: { accountId } }) =>
      sql.begin((tx) => eraseAccount(tx, accountId)),
  };
}

async function closeAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx`update accounts.account set status = 'closed' where account_id = ${accountId}`;
  for (const table of [
    "access_token",
    "challenge",
    "mail_token",
    "public_page",
    "requested_mail",
    "sign_in_session",
  ]) {
    await tx`delete from accounts.${tx(table)} where account_id = ${accountId}`;
  }
}

/**
 * Deletes the account; its other rows and its key are deleted with it. Links that opened it, or would have,
 * are found by its address, and have keys of their own.
 */
export async function eraseAccount(tx: Queryable, accountId: string) {
  const found = await rowsOf(tx, accountId);
  await tx`
    with link as (
      delete from accounts.mail_token
       where account_id is null and address_hash =
             (select address_hash from accounts.account where account_id = ${accountId})
      returning key_id
    ), mail as (
      delete from accounts.requested_mail where key_id in (select key_id from link)
    )
    delete from accounts.data_key where account_id is null and key_id in (select key_id from link)`;
  await tx`delete from accounts.account where account_id = ${accountId}`;
  return { found, left: await rowsOf(tx, accountId) };
}

async function rowsOf(tx: Queryable, accountId: string): Promise<number> {
  let rows = 0;
  for (const table of ownTables) {
    const found = await tx`select from accounts.${tx(table)} where account_id = ${accountId}`;
    rows += found.length;
  }
  return rows;
}
