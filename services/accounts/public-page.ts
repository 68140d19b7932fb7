import { sealJson, unsealJson } from "@pro-talent/platform/crypto/sealer";
import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { accountCalls } from "@pro-talent/schemas/accounts/calls";
import {
  type internalPageCalls,
  PublicPage,
  type ShownPage,
} from "@pro-talent/schemas/accounts/public-page";

import { readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";
import type { AccountKeys } from "./keys.ts";
import { requireHolder } from "./password-and-address.ts";
import { readPhoto } from "./profile.ts";

type PageCalls = Pick<typeof accountCalls, "GET /api/account/page" | "PUT /api/account/page">;

const emptyPage: PublicPage = { headline: "", summary: "", links: [], published: false };

/** What an account holder publishes of themself. */
export function pageHandlers(context: AccountsContext): CallHandlers<PageCalls> {
  const { sql, keys } = context;
  return {
    "GET /api/account/page": (_input, { account: { accountId } }) =>
      findPage(sql, keys, accountId).then((page) => page ?? emptyPage),
    "PUT /api/account/page": async ({ body }, { account: { accountId }, refuse }) => {
      const { profile } = await requireHolder(context, accountId);
      if (body.published && profile.handle === null) refuse("handle_missing");
      const sealer = await keys.sealerOf(sql, accountId);
      const sealed = sealJson(sealer, body, boundTo(accountId));
      await sql`
        insert into accounts.public_page (account_id, sealed) values (${accountId}, ${sealed})
        on conflict (account_id) do update set sealed = excluded.sealed`;
      return body;
    },
  };
}

/** What the collector shows of it. */
export function shownPageHandlers(
  context: AccountsContext,
): CallHandlers<typeof internalPageCalls> {
  return {
    "POST /internal/accounts/page": ({ body }) => readShownPage(context, body),
    "GET /internal/accounts/:accountId/page/photo": async ({ params: { accountId } }) => {
      await readShownPage(context, { accountId });
      return new FileAnswer(await readPhoto(context, accountId), "image/webp");
    },
  };
}

const boundTo = (accountId: string): string => `public page ${accountId}`;

/** What an account holder has written of themself, published or not. */
export async function findPage(
  sql: Queryable,
  keys: AccountKeys,
  accountId: string,
): Promise<PublicPage | undefined> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed from accounts.public_page where account_id = ${accountId}`;
  if (row === undefined) return undefined;
  return unsealJson(
    await keys.sealerOf(sql, accountId),
    PublicPage,
    row.sealed,
    boundTo(accountId),
  );
}

/** A published page of an open account. @throws ProblemError when there is none, whatever the reason */
async function readShownPage(
  { sql, keys }: AccountsContext,
  by: { readonly handle: string } | { readonly accountId: string },
): Promise<ShownPage> {
  const accountId = "accountId" in by ? by.accountId : await accountWith(sql, keys, by.handle);
  const page = accountId === undefined ? undefined : await findPage(sql, keys, accountId);
  const holder =
    page?.published === true && accountId !== undefined
      ? await readHolder(sql, keys, accountId)
      : undefined;
  const handle = holder?.profile.handle ?? null;
  // Handles that look alike find one account; its page has the address that its holder chose.
  const isAsked = "accountId" in by || by.handle === handle;
  if (page === undefined || holder === undefined || handle === null || !isAsked)
    throw new ProblemError("not_found");
  const { headline, summary, links } = page;
  const { hasPhoto, profile } = holder;
  const { fullName, language } = profile;
  return {
    accountId: holder.accountId,
    handle,
    fullName,
    language,
    headline,
    summary,
    links,
    hasPhoto,
  };
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
