import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { accessTokenPrefix, tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { accountLimits } from "@pro-talent/schemas/accounts/limits";
import type { AccessToken, accessTokenCalls } from "@pro-talent/schemas/accounts/token-calls";
import { type TokenScope, tokenScopes } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { v7 as uuidV7 } from "uuid";

import type { AccountsContext } from "./context.ts";
import { randomToken } from "./sessions.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Shown characters of the token: enough to distinguish ten, far too few to guess the rest. */
const prefixChars = 8;

type Row = {
  token_id: string;
  prefix: string;
  sealed_name: Buffer;
  scopes: string[];
  created_at: Date;
  expires_at: Date;
  last_used_on: string | null;
};

/** The access tokens with which programs of the holder read their data. */
export function accessTokenHandlers(
  context: AccountsContext,
): CallHandlers<typeof accessTokenCalls> {
  const { sql } = context;
  return {
    "GET /api/account/tokens": async (_input, { account: { accountId } }) => {
      const tokens = await listTokens(context, accountId);
      return { tokens, tokensMax: accountLimits.accessTokensMax };
    },
    "POST /api/account/tokens": async ({ body }, { account, refuse }) => {
      const isAnalyst = account.roles.includes("analyst");
      if (body.scopes.includes("analytics:query") && !isAnalyst)
        throw new ProblemError("forbidden");
      const made = await makeToken(context, { ...body, accountId: account.accountId });
      return made ?? refuse("access_tokens_full");
    },
    "DELETE /api/account/tokens/:tokenId": async ({ params }, { account }) => {
      const { count } = await sql`
        delete from accounts.access_token
         where token_id = ${params.tokenId} and account_id = ${account.accountId}`;
      if (count === 0) throw new ProblemError("not_found");
      return { status: "done" as const };
    },
  };
}

/** The tokens of an account that are valid. */
export async function listTokens(
  { sql, keys, clock }: Pick<AccountsContext, "sql" | "keys" | "clock">,
  accountId: string,
): Promise<AccessToken[]> {
  const rows = await validTokens(sql, accountId, clock());
  const sealer = await keys.sealerOf(sql, accountId);
  return rows.map((row) => tokenView(sealer, row));
}

/** Ends all access tokens of an account at once. */
export async function revokeTokens(sql: Queryable, accountId: string): Promise<void> {
  await sql`delete from accounts.access_token where account_id = ${accountId}`;
}

async function validTokens(sql: Queryable, accountId: string, nowMs: number): Promise<Row[]> {
  return await sql<Row[]>`
    select token_id, prefix, sealed_name, scopes, created_at, expires_at,
           last_used_on::text as last_used_on
      from accounts.access_token
     where account_id = ${accountId} and expires_at > ${new Date(nowMs)}
     order by created_at desc, token_id`;
}

type NewToken = {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly days: number;
};

/** @returns undefined when the account has as many as it may */
export async function makeToken(
  { sql, keys, clock }: Pick<AccountsContext, "sql" | "keys" | "clock">,
  { accountId, name, scopes, days }: NewToken,
) {
  const secret = accessTokenPrefix + randomToken();
  const nowMs = clock();
  return await sql.begin(async (tx) => {
    // Requests of one account make tokens one after the other, so that the count holds.
    await tx`select from accounts.account where account_id = ${accountId} for update`;
    const held = await validTokens(tx, accountId, nowMs);
    if (held.length >= accountLimits.accessTokensMax) return undefined;
    const sealer = await keys.sealerOf(tx, accountId);
    const tokenId = uuidV7();
    const row = {
      token_id: tokenId,
      prefix: secret.slice(0, prefixChars),
      sealed_name: sealer.seal(Buffer.from(name), accessTokenBoundTo(tokenId)),
      scopes: [...scopes],
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + days * dayMs),
      last_used_on: null,
    };
    await tx`
      insert into accounts.access_token
        (token_hash, token_id, account_id, prefix, sealed_name, scopes, created_at, expires_at)
      values (${tokenHash(secret)}, ${tokenId}, ${accountId}, ${row.prefix}, ${row.sealed_name},
              ${row.scopes}::text[], ${row.created_at}, ${row.expires_at})`;
    return { secret, token: tokenView(sealer, row) };
  });
}

const accessTokenBoundTo = (tokenId: string): string => `access token ${tokenId}`;

function tokenView(sealer: Sealer, row: Row): AccessToken {
  return {
    tokenId: row.token_id,
    name: sealer.unseal(row.sealed_name, accessTokenBoundTo(row.token_id)).toString(),
    prefix: row.prefix,
    scopes: tokenScopes.filter((scope) => row.scopes.includes(scope)),
    createdAt: instantFromMs(row.created_at.getTime()),
    expiresAt: instantFromMs(row.expires_at.getTime()),
    lastUsedOn: row.last_used_on,
  };
}
