import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { internalHeldCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";

import { listTokens } from "./access-tokens.ts";
import { type Holder, readHolder } from "./accounts.ts";
import type { FactorContext } from "./factors/factor-context.ts";
import { factorsOf } from "./factors/second-factors.ts";
import { listSessions } from "./own-sessions.ts";

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
          { section: "sign-in", records: await signInOf(context, accountId) },
        ],
      };
    },
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
    ...(await listTokens(context, accountId)).map(({ name, createdAt }): HeldRecord => [
      { field: "token", text: name },
      { field: "created-at", at: createdAt },
    ]),
    ...sessions.map(({ browser, system, signedInAt, lastUsedAt }): HeldRecord => [
      { field: "device", text: [browser, system].filter((part) => part !== null).join(", ") },
      { field: "created-at", at: signedInAt },
      { field: "changed-at", at: lastUsedAt },
    ]),
  ];
}
