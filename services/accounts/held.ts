import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { internalHeldCalls } from "@pro-talent/schemas/accounts/internal-calls";
import type { FormerPage } from "@pro-talent/schemas/accounts/public-page";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";

import { listTokens } from "./access-tokens.ts";
import { type Holder, readHolder } from "./accounts.ts";
import type { FactorContext } from "./factors/factor-context.ts";
import { factorsOf } from "./factors/second-factors.ts";
import { historyOf } from "./held-history.ts";
import { listSessions } from "./own-sessions.ts";
import { readPhoto } from "./profile.ts";
import { findFormerPage } from "./public-page.ts";

/** What the service holds about an account, as its holder reads it. */
export function heldHandlers(context: FactorContext): CallHandlers<typeof internalHeldCalls> {
  const { sql, keys } = context;
  return {
    "GET /internal/accounts/:accountId/held": async ({ params: { accountId } }) => {
      const holder = await readHolder(sql, keys, accountId);
      if (holder === undefined) throw new ProblemError("not_found");
      return {
        sections: [
          { section: "profile", records: [profileOf(holder)] },
          {
            section: "public-page",
            records: pageRecords(await findFormerPage(sql, keys, accountId)),
          },
          { section: "sign-in", records: await signInOf(context, accountId) },
          { section: "account", records: await historyOf(sql, accountId) },
        ],
      };
    },
    "GET /internal/accounts/:accountId/photo": async ({ params: { accountId } }) =>
      new FileAnswer(await readPhoto(context, accountId), "image/webp"),
  };
}

function profileOf({ email, profile, hasPhoto, createdMs }: Holder): HeldRecord {
  return [
    { field: "full-name", text: profile.fullName },
    { field: "email", text: email },
    { field: "phone", text: profile.phone },
    { field: "address", text: profile.address },
    { field: "language", word: profile.language },
    { field: "time-zone", text: profile.timeZone },
    ...(profile.handle === null ? [] : [{ field: "handle", text: profile.handle } as const]),
    ...(hasPhoto ? [{ field: "photo", unreadable: true } as const] : []),
    { field: "created-at", at: instantFromMs(createdMs) },
  ];
}

async function signInOf(context: FactorContext, accountId: string): Promise<HeldRecord[]> {
  const { sql, passkeys } = context;
  const factors = await factorsOf(sql, accountId);
  const sessions = await listSessions(sql, { accountId, sessionId: "" });
  return [
    [{ field: "password", unreadable: true }],
    ...(factors.totp ? [[{ field: "authenticator", unreadable: true } as const]] : []),
    ...(await passkeys.ofAccount(sql, accountId)).map(({ name, createdAt }): HeldRecord => [
      { field: "passkey", text: name },
      { field: "created-at", at: instantFromMs(createdAt.getTime()) },
    ]),
    ...(await listTokens(context, accountId)).map(({ name, createdAt, expiresAt }): HeldRecord => [
      { field: "token", text: name },
      { field: "created-at", at: createdAt },
      { field: "expires-at", at: expiresAt },
    ]),
    ...sessions.map(({ browser, system, signedInAt, lastUsedAt }): HeldRecord => [
      { field: "device", text: [browser, system].filter((part) => part !== null).join(", ") },
      { field: "created-at", at: signedInAt },
      { field: "changed-at", at: lastUsedAt },
    ]),
    ...(await knownDevices(sql, accountId)),
  ];
}

/** Browsers that are known by a cookie, of which the hash alone is kept. */
async function knownDevices(sql: Queryable, accountId: string): Promise<HeldRecord[]> {
  const rows = await sql<{ at: Date }[]>`
    select last_used_at as at from accounts.known_device
     where account_id = ${accountId} order by last_used_at desc`;
  return rows.map(({ at }) => [
    { field: "device", unreadable: true },
    { field: "changed-at", at: instantFromMs(at.getTime()) },
  ]);
}

function pageRecords(page: FormerPage | undefined): HeldRecord[] {
  if (page === undefined) return [];
  const { headline, summary, links, published } = page;
  return [
    [
      { field: "status", word: published ? "published" : "unpublished" },
      { field: "headline", text: headline },
      { field: "summary", text: summary },
    ],
    ...links.map(({ label, url }): HeldRecord => [
      { field: "label", text: label },
      { field: "url", text: url },
    ]),
  ];
}
