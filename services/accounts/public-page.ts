import { sealJson, unsealJson } from "@pro-talent/platform/crypto/sealer";
import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import {
  FormerPage,
  type internalFormerPageCalls,
  type internalPageCalls,
  type PageOwner,
} from "@pro-talent/schemas/accounts/public-page";

import { type Holder, readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";
import type { AccountKeys } from "./keys.ts";

/** Whose portfolio the collector shows. */
export function pageOwnerHandlers({
  sql,
  keys,
}: Pick<AccountsContext, "sql" | "keys">): CallHandlers<typeof internalPageCalls> {
  return {
    "POST /internal/accounts/page": async ({ body: by }) => {
      const accountId = "accountId" in by ? by.accountId : await accountWith(sql, keys, by.handle);
      const holder = accountId === undefined ? undefined : await readHolder(sql, keys, accountId);
      // Handles that look alike find one account; its page has the address that its holder chose.
      const isAsked = "accountId" in by || by.handle === holder?.profile.handle;
      if (holder === undefined || !isAsked) throw new ProblemError("not_found");
      return ownerOf(holder);
    },
  };
}

const ownerOf = ({ accountId, profile: { handle, fullName, language } }: Holder): PageOwner => ({
  accountId,
  handle,
  fullName,
  language,
});

/** Pages of before there were portfolios, until the studio has taken them over. */
export function formerPageHandlers({
  sql,
  keys,
}: Pick<AccountsContext, "sql" | "keys">): CallHandlers<typeof internalFormerPageCalls> {
  return {
    "GET /internal/accounts/former-pages": async () => {
      const rows = await sql<{ account_id: string }[]>`
        select account_id from accounts.public_page
          join accounts.account using (account_id)
         where status = 'open' order by account_id limit 100`;
      return { accountIds: rows.map(({ account_id }) => account_id) };
    },
    "GET /internal/accounts/:accountId/former-page": async ({ params: { accountId } }) => {
      const page = await findFormerPage(sql, keys, accountId);
      const holder = page && (await readHolder(sql, keys, accountId));
      if (page === undefined || holder === undefined) throw new ProblemError("not_found");
      return { ...ownerOf(holder), page, hasPhoto: holder.hasPhoto };
    },
    "DELETE /internal/accounts/:accountId/former-page": async ({ params: { accountId } }) => {
      await sql`delete from accounts.public_page where account_id = ${accountId}`;
      return { account: (await readHolder(sql, keys, accountId)) !== undefined };
    },
  };
}

const boundTo = (accountId: string): string => `public page ${accountId}`;

/** What an account holder had written of themself before there were portfolios, published or not. */
export async function findFormerPage(
  sql: Queryable,
  keys: AccountKeys,
  accountId: string,
): Promise<FormerPage | undefined> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed from accounts.public_page where account_id = ${accountId}`;
  if (row === undefined) return undefined;
  const sealer = await keys.sealerOf(sql, accountId);
  return unsealJson(sealer, FormerPage, row.sealed, boundTo(accountId));
}

/**
 * Stores a page as accounts did before there were portfolios.
 * @internal used by tests alone
 */
export async function storeFormerPage(
  sql: Queryable,
  keys: AccountKeys,
  accountId: string,
  page: FormerPage,
): Promise<void> {
  const sealed = sealJson(await keys.sealerOf(sql, accountId), page, boundTo(accountId));
  await sql`
    insert into accounts.public_page (account_id, sealed) values (${accountId}, ${sealed})`;
}

async function accountWith(
  sql: Queryable,
  keys: AccountKeys,
  handle: string,
): Promise<string | undefined> {
  const [row] = await sql<{ account_id: string }[]>`
    select account_id from accounts.account where handle_hash = ${keys.handleHash(handle)}`;
  return row?.account_id;
}
