import { z } from "zod";

import { Instant } from "../primitives/instant.ts";

/** What a section of held data is about; one section for each purpose, not for each table. */
export const heldSections = [
  "profile",
  "sign-in",
  "subscription",
  "invoices",
  "links",
  "opens",
  "newsletter",
  "messages",
  "visits",
  "requests",
] as const;

/** Names of the values; the texts that people read for them are translations. */
export const heldFields = [
  "full-name",
  "email",
  "phone",
  "address",
  "language",
  "time-zone",
  "handle",
  "photo",
  "password",
  "passkey",
  "authenticator",
  "session",
  "plan",
  "status",
  "amount",
  "number",
  "label",
  "note",
  "file",
  "topic",
  "message",
  "page",
  "place",
  "device",
  "created-at",
  "changed-at",
] as const;

const HeldValue = z.union([
  z.object({ field: z.enum(heldFields), text: z.string() }),
  z.object({ field: z.enum(heldFields), at: Instant }),
  z.object({ field: z.enum(heldFields), count: z.number() }),
  /** Kept in a form that cannot be read back, as a password is. */
  z.object({ field: z.enum(heldFields), unreadable: z.literal(true) }),
]);
export type HeldValue = z.infer<typeof HeldValue>;

/** Everything of one kind that is held about an account. */
export const HeldSection = z.object({
  section: z.enum(heldSections),
  /** All records; `records` has the newest of them. */
  count: z.int().nonnegative(),
  records: z.array(z.array(HeldValue).min(1)).max(100),
});
export type HeldSection = z.infer<typeof HeldSection>;
