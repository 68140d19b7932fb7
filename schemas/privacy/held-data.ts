import { z } from "zod";

import { Instant } from "../primitives/instant.ts";
import { recipientKinds } from "./recipients.ts";

/** What a section of held data is about; one section for each purpose, not for each table. */
export const heldSections = [
  "profile",
  "public-page",
  "sign-in",
  "account",
  "cvs",
  "subscription",
  "invoices",
  "links",
  "opens",
  "webhooks",
  "applications",
  "newsletter",
  "waitlist",
  "messages",
  "operators",
  "queries",
  "saved-work",
  "requests",
  "consents",
  "recipients",
] as const;

/** Names of the values; the texts that people read for them are translations. */
export const heldFields = [
  "full-name",
  "email",
  "phone",
  "address",
  "language",
  "frequency",
  "time-zone",
  "photo",
  "password",
  "passkey",
  "authenticator",
  "token",
  "device",
  "plan",
  "status",
  "amount",
  "number",
  "label",
  "note",
  "file",
  "url",
  "subject",
  "message",
  "visit",
  "request",
  "consent",
  "version",
  "created-at",
  "changed-at",
  "expires-at",
  "handle",
  "headline",
  "summary",
  "role",
  "recovery",
  "looked",
  "reports",
  "reason",
  "opens",
  "issue",
  "place",
  "company",
  "location",
  "stage",
  "source",
  "salary",
  "deadline",
  "applied-on",
  "contact",
  "reminder",
  "action",
  "recipient",
  "on-correction",
  "on-deletion",
] as const;

/** Values that are read as words of the language; the texts for them are translations. */
export const heldWords = [
  "en",
  "he",
  "weekly",
  "monthly",
  "free",
  "essential",
  "premium",
  "pending",
  "confirmed",
  "unsubscribed",
  "bounced",
  "complained",
  "scheduled",
  "failed",
  "completed",
  "access",
  "delete",
  "correct",
  "cancel-deletion",
  "terms",
  "privacy",
  "auto-renewal",
  "newsletter",
  "granted",
  "withdrawn",
  "officer",
  "analyst",
  "administrator",
  "role-granted",
  "role-withdrawn",
  "published",
  "unpublished",
  "active",
  "paused",
  "waiting",
  "sent",
  "skipped",
  "refused",
  "do-not-mail",
  "factor-used",
  "message-read",
  "deleted-link",
  "portfolio",
  "taken-down",
  "phishing",
  "malware",
  "impersonation",
  "personal-data",
  "other",
  ...recipientKinds,
  "holds-no-such-field",
  "passes-mail-on",
  "own-choice",
  "customer-deleted",
] as const;

const field = z.enum(heldFields);
const HeldValue = z.union([
  z.object({ field, text: z.string() }),
  z.object({ field, word: z.enum(heldWords) }),
  z.object({ field, at: Instant }),
  z.object({ field, count: z.int().nonnegative() }),
  /** Kept in a form that cannot be read back, as a password is. */
  z.object({ field, unreadable: z.literal(true) }),
]);
export type HeldValue = z.infer<typeof HeldValue>;

export const HeldRecord = z.array(HeldValue).min(1);
export type HeldRecord = z.infer<typeof HeldRecord>;

/** Everything of one kind that is held about an account. */
export const HeldSection = z.object({
  section: z.enum(heldSections),
  records: z.array(HeldRecord),
});
export type HeldSection = z.infer<typeof HeldSection>;

/** How many items a section stands for: a record of opens names a link, and the package lists each open. */
export const itemsIn = ({ records }: HeldSection): number =>
  records.reduce((items, record) => {
    const opens = record.find((value) => value.field === "opens" && "count" in value);
    return items + (opens !== undefined && "count" in opens ? opens.count : 1);
  }, 0);
