import { redrawPicture } from "@pro-talent/platform/files/redraw-picture";
import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Account, accountCalls } from "@pro-talent/schemas/accounts/calls";
import { Profile } from "@pro-talent/schemas/accounts/profile";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { isTaken, lockAccount, writeProfile } from "./accounts.ts";
import { countAttempt, handleLimit } from "./attempts.ts";
import type { AccountsContext } from "./context.ts";
import { factorsOf } from "./factors/second-factors.ts";
import { handlesLike, isReservedHandle } from "./handles.ts";
import { requireHolder } from "./password-and-address.ts";

type ProfileCalls = Pick<
  typeof accountCalls,
  | "GET /api/account"
  | "PATCH /api/account/profile"
  | "POST /api/account/handle/check"
  | "PUT /api/account/photo"
  | "GET /api/account/photo"
  | "DELETE /api/account/photo"
>;

/** What an account holder states of themself. */
export function profileHandlers(context: AccountsContext): CallHandlers<ProfileCalls> {
  const { sql, keys, clock } = context;
  return {
    "GET /api/account": (_input, { account }) => readAccount(context, account),
    "PATCH /api/account/profile": async ({ body }, { account, refuse }) => {
      const { accountId } = account;
      const { handle } = body;
      const changing = sql.begin(async (tx) => {
        // A correction of other fields at the same moment must not be written back.
        await lockAccount(tx, accountId);
        const { profile } = await requireHolder({ sql: tx, keys }, accountId);
        if (handle && handle !== profile.handle && isReservedHandle(handle)) refuse("handle_taken");
        await writeProfile(tx, keys, accountId, Profile.parse({ ...profile, ...body }));
      });
      await changing.catch((error: unknown) => {
        if (isTaken(error)) refuse("handle_taken");
        throw error;
      });
      return readAccount(context, account);
    },
    "POST /api/account/handle/check": async ({ body: { handle } }, { account: { accountId } }) => {
      const limits = [handleLimit(keys, accountId)];
      const retryAfterSeconds = await countAttempt(sql, limits, clock());
      if (retryAfterSeconds !== undefined) {
        throw new ProblemError("rate_limited", { retryAfterSeconds });
      }
      const isFree = await freeFor(context, accountId, [handle, ...handlesLike(handle)]);
      if (isFree(handle)) return { free: true, suggestion: null };
      return { free: false, suggestion: handlesLike(handle).find(isFree) ?? null };
    },
    "PUT /api/account/photo": async ({ body }, { account: { accountId }, refuse }) => {
      const photo = await redrawPicture(Buffer.from(body.picture, "base64"));
      if (photo === undefined) return refuse("photo_unreadable");
      const sealer = await keys.sealerOf(sql, accountId);
      const sealed = sealer.seal(photo, photoOf(accountId));
      await sql`
        insert into accounts.photo (account_id, sealed) values (${accountId}, ${sealed})
        on conflict (account_id) do update set sealed = excluded.sealed`;
      return { status: "done" as const };
    },
    "GET /api/account/photo": async (_input, { account: { accountId } }) => {
      return new FileAnswer(await readPhoto(context, accountId), "image/webp");
    },
    "DELETE /api/account/photo": async (_input, { account: { accountId } }) => {
      await sql`delete from accounts.photo where account_id = ${accountId}`;
      return { status: "done" as const };
    },
  };
}

/** Answers for each of these handles whether this account could have it. */
async function freeFor(
  { sql, keys }: AccountsContext,
  accountId: string,
  asked: readonly string[],
) {
  const hashOf = (handle: string): string => keys.handleHash(handle).toString("hex");
  const held = await sql<{ hash: string; account_id: string }[]>`
    select encode(handle_hash, 'hex') as hash, account_id from accounts.account
     where handle_hash in (select decode(hex, 'hex') from unnest(${asked.map(hashOf)}::text[]) hex)`;
  return (handle: string): boolean => {
    const holder = held.find(({ hash }) => hash === hashOf(handle));
    return holder === undefined ? !isReservedHandle(handle) : holder.account_id === accountId;
  };
}

/** The photo of an account. @throws ProblemError when there is none */
export async function readPhoto(
  { sql, keys }: AccountsContext,
  accountId: string,
): Promise<Buffer> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed from accounts.photo where account_id = ${accountId}`;
  if (row === undefined) throw new ProblemError("not_found");
  const sealer = await keys.sealerOf(sql, accountId);
  return sealer.unseal(row.sealed, photoOf(accountId));
}

export const photoOf = (accountId: string): string => `photo ${accountId}`;

async function readAccount(context: AccountsContext, signedIn: SignedIn): Promise<Account> {
  const { accountId, factor } = signedIn;
  const { email, profile, hasPhoto, roles, createdMs } = await requireHolder(context, accountId);
  return {
    accountId,
    email,
    profile,
    hasPhoto,
    roles: [...roles],
    factor,
    ...(await factorsOf(context.sql, accountId)),
    createdAt: instantFromMs(createdMs),
  };
}
