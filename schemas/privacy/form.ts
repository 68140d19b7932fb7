/** Constants of the public form of privacy requests, free of the validator so that pages use them alone. */

/**
 * Whose data a form asks about: that of a mailbox which subscribed or wrote to us, of an account whose holder
 * cannot sign in, or of another person who authorised the sender.
 */
export const formRelations = ["mailbox", "account", "authorised"] as const;
export type FormRelation = (typeof formRelations)[number];

/**
 * What a form can ask for. Values are corrected where they are shown: a subscription by the link in each of
 * its mails, an account by its holder.
 */
export const formTypes = ["access", "delete"] as const;
export type FormType = (typeof formTypes)[number];

export const privacyFormPath = "/api/privacy/form";
export const privacyCodePath = "/api/privacy/form/verification";
export const privacyEndPath = "/api/privacy/form/end";

/** The page of the form, and the page behind the links of its mails; the token is in the fragment. */
export const privacyFormPages = {
  ask: "/privacy/request",
  status: "/privacy/request/status",
} as const;

/** Sections of the page `/answer` that the plain forms lead to. */
export const privacyFormAnswers = [
  "privacy-code-sent",
  "privacy-incomplete",
  "privacy-failed",
  "privacy-verified",
  "privacy-code-wrong",
  "privacy-link-unknown",
  "privacy-ended",
] as const;
export type PrivacyFormAnswer = (typeof privacyFormAnswers)[number];

export const privacyFormLimits = {
  bodyBytesMax: 16 * 1024,
  textCharsMax: 1000,
  honeypotCharsMax: 500,
  tokenCharsMax: 100,
  codeDigits: 8,
  /** Wrong codes of one request before it ends; before its package, of one code. */
  attemptsMax: 5,
  /** Codes mailed for one request within a day. */
  codesPerDay: 3,
  /** A code that opens a package works this long. */
  packageCodeMinutes: 30,
  /** From the notice to the person until an officer may decide about more than a mailbox. */
  objectionDays: 7,
} as const;
