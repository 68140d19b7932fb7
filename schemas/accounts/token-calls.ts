import { z } from "zod";

import { signedIn, tokenScopes } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { accessTokenDays, accountLimits as limit } from "./limits.ts";

const problems = defineProblems({
  access_tokens_full: [409, "This account has as many access tokens as it may. Revoke one first."],
});

/** An access token for programs of the holder, without the token itself. */
export const AccessToken = z.object({
  tokenId: Uuid,
  name: z.string(),
  /** The first characters of the token, to recognise it by. */
  prefix: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  createdAt: Instant,
  expiresAt: Instant,
  /** A day in UTC; null before the first use. */
  lastUsedOn: z.iso.date().nullable(),
});
export type AccessToken = z.infer<typeof AccessToken>;

/** For account holders about the access tokens of their programs. */
export const accessTokenCalls = defineCalls({
  "GET /api/account/tokens": {
    summary: "The access tokens of the account that have not ended, the newest first",
    access: signedIn,
    answer: z.object({ tokens: z.array(AccessToken), tokensMax: z.int() }),
  },
  "POST /api/account/tokens": {
    summary: "Makes an access token; this answer alone contains it",
    access: { ...signedIn, stepUp: true },
    body: z.object({
      name: z.string().trim().min(1).max(limit.accessTokenNameCharsMax),
      scopes: z
        .array(z.enum(tokenScopes))
        .min(1)
        .transform((scopes) => [...new Set(scopes)]),
      days: z.literal(accessTokenDays).default(90),
    }),
    status: 201,
    answer: z.object({ secret: z.string(), token: AccessToken }),
    problems: [problems.access_tokens_full],
  },
  "DELETE /api/account/tokens/:tokenId": {
    summary: "Revokes an access token; it is refused from this moment",
    access: signedIn,
    params: z.object({ tokenId: Uuid }),
    answer: z.object({ status: z.literal("done") }),
  },
});
