import { z } from "zod";

import { defineProblems } from "../primitives/problem.ts";

export const accountProblems = defineProblems({
  registration_closed: [403, "Accounts open by invitation for now."],
  sign_in_refused: [422, "This address and this password do not belong together."],
  sign_in_delayed: [429, "Too many attempts. Wait and try again."],
  challenge_ended: [410, "This sign-in took too long. Begin again."],
  code_wrong: [422, "This code is not right."],
  passkey_refused: [422, "This passkey was not accepted."],
  mail_token_unknown: [404, "This link is not known."],
  mail_token_ended: [410, "This link was used or has expired."],
  password_weak: [422, "This password is too common or known from a breach."],
  handle_taken: [409, "This handle cannot be used."],
  email_unchanged: [422, "This is the account's address already."],
  photo_unreadable: [422, "This picture cannot be read."],
  factor_exists: [409, "This factor is set up already."],
  factor_missing: [409, "Recovery codes need a second factor that they replace."],
  last_factor: [409, "This account needs a second factor."],
});

/** A page of the site, where an entry leads afterwards. The browser decides whether it may. */
export const NextPath = z
  .string()
  .max(1000)
  .regex(/^\/(?![/\\])/u, "a path of the site");

/** As it is typed: the length alone is checked when it is given, the rest when it is chosen. */
export const GivenPassword = z.string().min(1).max(1024);
/** Of an authenticator, or a recovery code. */
export const Code = z.string().trim().min(1).max(40);

/** The answer of what has none of its own. */
export const Done = z.object({ status: z.literal("done") });

/** A new sign-in session. The token is stored by the browser and sent as bearer. */
export const SignInAnswer = z.object({
  status: z.literal("signed-in"),
  token: z.string(),
});
/** How a second factor can be given. */
export const factorMethods = ["totp", "recovery", "passkey"] as const;
/** The password was right, and the account has a second factor. */
export const FactorRequired = z.object({
  status: z.literal("factor-required"),
  challenge: z.string(),
  methods: z.array(z.enum(factorMethods)),
});
/** Options and responses of WebAuthn Level 3, as JSON; read by `@simplewebauthn`. */
const WebAuthn = z.record(z.string(), z.json());
export const Ceremony = z.object({ ceremony: z.string(), options: WebAuthn });
export const CeremonyResponse = z.object({ ceremony: z.string().max(200), response: WebAuthn });
