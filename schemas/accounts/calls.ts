import { z } from "zod";

import { roles, signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { emailCharsMax } from "../primitives/email-limits.ts";
import { looksLikeEmail } from "../primitives/email-shape.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { accountLimits as limit } from "./limits.ts";
import { Handle, Profile, TimeZone } from "./profile.ts";
import {
  accountProblems as problems,
  Ceremony,
  CeremonyResponse,
  Code,
  Done,
  FactorRequired,
  GivenPassword,
  NextPath,
  SignInAnswer,
} from "./sign-in.ts";

export const Email = z
  .string()
  .trim()
  .min(1)
  .max(emailCharsMax)
  .refine(looksLikeEmail, "an e-mail address");
/** Counted in code points, so that every script has the same bounds. */
const ChosenPassword = z
  .string()
  .regex(
    new RegExp(`^[^]{${limit.passwordCharsMin},${limit.passwordCharsMax}}$`, "u"),
    "8 to 128 characters",
  );
/** Of a mailed link; it stands in the address's fragment, which no server receives. */
const MailToken = z.string().min(1).max(200);

/** Mailed, or not: the answer is the same for every address. */
const Mailed = z.object({ status: z.literal("mailed") });
/** Proof that the holder accepted the documents that were shown. */
export const AcceptedDocuments = z.object({ terms: z.literal(true), privacy: z.literal(true) });

/** Into an account. */
export const entryCalls = defineCalls({
  "POST /api/account/registration": {
    summary: "Mails a link that opens an account, or to a known address how to sign in",
    access: "public",
    body: z.object({ email: Email, language: Locale, next: NextPath.optional() }),
    answer: Mailed,
    status: 202,
    problems: [problems.registration_closed],
  },
  "POST /api/account/invitation": {
    summary: "What the token of a mailed link opens",
    access: "public",
    body: z.object({ token: MailToken }),
    answer: z.object({ email: z.string(), language: Locale, expiresAt: Instant }),
    problems: [problems.mail_token_unknown, problems.mail_token_ended],
  },
  "POST /api/account/join": {
    summary: "Opens an account with the token of a mailed link, and signs in",
    access: "public",
    body: z.object({
      token: MailToken,
      fullName: Profile.shape.fullName,
      password: ChosenPassword,
      language: Locale,
      timeZone: TimeZone,
      accepted: AcceptedDocuments,
    }),
    answer: SignInAnswer,
    problems: [problems.mail_token_unknown, problems.mail_token_ended, problems.password_weak],
  },
  "POST /api/account/sign-in": {
    summary: "Signs in with address and password, or asks for the second factor",
    access: "public",
    body: z.object({ email: Email, password: GivenPassword }),
    answer: z.discriminatedUnion("status", [SignInAnswer, FactorRequired]),
    problems: [problems.sign_in_refused, problems.sign_in_delayed],
  },
  "POST /api/account/sign-in/code": {
    summary: "Completes a sign-in with a code of an authenticator, or a recovery code",
    access: "public",
    body: z.object({
      challenge: z.string().max(200),
      method: z.enum(["totp", "recovery"]),
      code: Code,
    }),
    answer: SignInAnswer,
    problems: [problems.challenge_ended, problems.code_wrong, problems.sign_in_delayed],
  },
  "POST /api/account/sign-in/passkey/options": {
    summary: "Begins a sign-in with a passkey",
    access: "public",
    body: z.object({ challenge: z.string().max(200).optional() }),
    answer: Ceremony,
    problems: [problems.challenge_ended],
  },
  "POST /api/account/sign-in/passkey": {
    summary: "Signs in with a passkey that verified its user",
    access: "public",
    body: CeremonyResponse,
    answer: SignInAnswer,
    problems: [problems.challenge_ended, problems.passkey_refused],
  },
  "POST /api/account/password/forgotten": {
    summary: "Mails a link that sets a new password; the answer is the same for every address",
    access: "public",
    body: z.object({ email: Email, language: Locale, next: NextPath.optional() }),
    answer: Mailed,
    status: 202,
  },
  "POST /api/account/password/reset": {
    summary: "Sets a password with the token of a mailed link; all sign-in sessions end",
    access: "public",
    body: z.object({ token: MailToken, password: ChosenPassword }),
    answer: Done,
    problems: [problems.mail_token_unknown, problems.mail_token_ended, problems.password_weak],
  },
  "POST /api/account/recovery/refuse": {
    summary: "Refuses the removal of the second factors, with the token of a mail about it",
    access: "public",
    body: z.object({ token: MailToken }),
    answer: Done,
    problems: [problems.mail_token_unknown, problems.mail_token_ended],
  },
  "POST /api/account/email/confirm": {
    summary: "Confirms a new address with the token of the mail that was sent there",
    access: "public",
    body: z.object({ token: MailToken }),
    answer: Done,
    problems: [problems.mail_token_unknown, problems.mail_token_ended],
  },
});

/** The signed-in person: what the shell of every page needs. */
export const Account = z.object({
  accountId: Uuid,
  email: z.string(),
  profile: Profile,
  hasPhoto: z.boolean(),
  roles: z.array(z.enum(roles)),
  /** Whether this sign-in had a second factor, and which ones are set up. */
  factor: z.boolean(),
  totp: z.boolean(),
  passkeys: z.int().nonnegative(),
  recoveryCodesLeft: z.int().nonnegative(),
  createdAt: Instant,
});
export type Account = z.infer<typeof Account>;

/** One browser or device in which the account is signed in. */
export const SignInSession = z.object({
  sessionId: Uuid,
  current: z.boolean(),
  /** As in `Firefox on Windows`; null where it is not known. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  signedInAt: Instant,
  lastUsedAt: Instant,
});

/** For account holders about their own account. */
export const accountCalls = defineCalls({
  "GET /api/account": {
    summary: "The signed-in account",
    access: { ...signedIn, withoutFactor: true },
    answer: Account,
  },
  "PATCH /api/account/profile": {
    summary: "Changes the profile; what is absent stays",
    access: signedIn,
    body: Profile.partial(),
    answer: Account,
    problems: [problems.handle_taken],
  },
  "POST /api/account/handle/check": {
    summary: "Whether the account could have this handle, or else one like it",
    access: signedIn,
    body: z.object({ handle: Handle }),
    /** In place of one that is not free, another one that is; null where none was found. */
    answer: z.object({ free: z.boolean(), suggestion: Handle.nullable() }),
  },
  "PUT /api/account/photo": {
    summary: "Sets the photo: it is drawn anew, without the metadata of the picture",
    access: signedIn,
    /** In base64. */
    body: z.object({ picture: z.base64() }),
    bodyBytesMax: Math.ceil(limit.photoBytesMax / 3) * 4 + 1024,
    answer: Done,
    problems: [problems.photo_unreadable],
  },
  "GET /api/account/photo": {
    summary: "The photo",
    access: signedIn,
    file: "image/webp",
    answer: z.never(),
  },
  "DELETE /api/account/photo": { summary: "Removes the photo", access: signedIn, answer: Done },
  "GET /api/account/sessions": {
    summary: "Where the account is signed in",
    access: signedIn,
    answer: z.object({ sessions: z.array(SignInSession) }),
  },
  "DELETE /api/account/sessions/:sessionId": {
    summary: "Ends one sign-in session",
    access: signedIn,
    params: z.object({ sessionId: Uuid }),
    answer: Done,
  },
  "POST /api/account/sessions/end-others": {
    summary: "Ends all sign-in sessions but this one",
    access: signedIn,
    answer: Done,
  },
  "POST /api/account/sign-out": {
    summary: "Ends this sign-in session",
    access: { ...signedIn, withoutFactor: true },
    answer: Done,
  },
  "POST /api/account/tickets": {
    summary: "A ticket for one download within a minute, as `?ticket=` of its address",
    access: signedIn,
    body: z.object({ path: z.string().startsWith("/api/").max(300) }),
    answer: z.object({ ticket: z.string(), expiresAt: Instant }),
  },
  "POST /api/account/password": {
    summary: "Changes the password; all other sign-in sessions end",
    access: { ...signedIn, withoutFactor: true },
    body: z.object({ current: GivenPassword, password: ChosenPassword }),
    answer: SignInAnswer,
    problems: [problems.sign_in_refused, problems.sign_in_delayed, problems.password_weak],
  },
  "POST /api/account/email": {
    summary: "Requests another address: it counts once the mail that is sent there is followed",
    access: { ...signedIn, stepUp: true },
    body: z.object({ email: Email }),
    answer: Mailed,
    status: 202,
    problems: [problems.email_unchanged],
  },
});
