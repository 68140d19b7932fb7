import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { accountLimits as limit } from "./limits.ts";
import {
  accountProblems as problems,
  Ceremony,
  CeremonyResponse,
  Code,
  Done,
  GivenPassword,
  SignInAnswer,
} from "./sign-in.ts";

const Passkey = z.object({
  passkeyId: Uuid,
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
  /** Synchronised between devices by its provider. */
  synced: z.boolean(),
});
const setUp = { ...signedIn, stepUp: true, withoutFactor: true } as const;
const PasskeyName = z.string().trim().min(1).max(limit.passkeyNameCharsMax);
const RecoveryCodes = z.object({ codes: z.array(z.string()) });

/** Second factors and step-up. */
export const factorCalls = defineCalls({
  "GET /api/account/factors": {
    summary: "The second factors of the account",
    access: { ...signedIn, withoutFactor: true },
    answer: z.object({
      totp: z.boolean(),
      recoveryCodesLeft: z.int().nonnegative(),
      passkeys: z.array(Passkey),
      /** The account's roles demand a second factor. */
      required: z.boolean(),
    }),
  },
  "POST /api/account/factors/totp": {
    summary: "Begins to set up an authenticator: its secret, to be confirmed with a code",
    access: setUp,
    answer: z.object({ secret: z.string(), uri: z.string() }),
    problems: [problems.factor_exists],
  },
  "POST /api/account/factors/totp/confirm": {
    summary: "Confirms the authenticator with its first code; answers with recovery codes",
    access: setUp,
    body: z.object({ code: Code }),
    answer: RecoveryCodes.extend({ token: z.string() }),
    problems: [problems.code_wrong, problems.challenge_ended],
  },
  "DELETE /api/account/factors/totp": {
    summary: "Removes the authenticator and its recovery codes",
    access: { ...signedIn, stepUp: true },
    answer: Done,
    problems: [problems.last_factor],
  },
  "POST /api/account/factors/recovery-codes": {
    summary: "New recovery codes; earlier ones stop working",
    access: { ...signedIn, stepUp: true },
    answer: RecoveryCodes,
    problems: [problems.factor_missing],
  },
  "POST /api/account/factors/passkeys/options": {
    summary: "Begins to add a passkey",
    access: setUp,
    answer: Ceremony,
  },
  "POST /api/account/factors/passkeys": {
    summary: "Adds a passkey that verified its user",
    access: setUp,
    body: CeremonyResponse.extend({ name: PasskeyName }),
    answer: z.object({ passkeyId: Uuid, token: z.string() }),
    problems: [problems.challenge_ended, problems.passkey_refused],
  },
  "PATCH /api/account/factors/passkeys/:passkeyId": {
    summary: "Renames a passkey",
    access: signedIn,
    params: z.object({ passkeyId: Uuid }),
    body: z.object({ name: PasskeyName }),
    answer: Done,
  },
  "DELETE /api/account/factors/passkeys/:passkeyId": {
    summary: "Removes a passkey",
    access: { ...signedIn, stepUp: true },
    params: z.object({ passkeyId: Uuid }),
    answer: Done,
    problems: [problems.last_factor],
  },
  "POST /api/account/step-up/password": {
    summary: "Confirms with the password that it is the holder; the token is replaced",
    access: { ...signedIn, withoutFactor: true },
    body: z.object({ password: GivenPassword }),
    answer: SignInAnswer,
    problems: [problems.sign_in_refused, problems.sign_in_delayed],
  },
  "POST /api/account/step-up/code": {
    summary: "Confirms with a code of the authenticator; the token is replaced",
    access: signedIn,
    body: z.object({ code: Code }),
    answer: SignInAnswer,
    problems: [problems.code_wrong, problems.sign_in_delayed],
  },
  "POST /api/account/step-up/passkey/options": {
    summary: "Begins to confirm with a passkey",
    access: signedIn,
    answer: Ceremony,
  },
  "POST /api/account/step-up/passkey": {
    summary: "Confirms with a passkey; the token is replaced",
    access: signedIn,
    body: CeremonyResponse,
    answer: SignInAnswer,
    problems: [problems.challenge_ended, problems.passkey_refused],
  },
});
