import { z } from "zod";

import { Locale } from "../primitives/locale.ts";
import { subjectCategories } from "./categories.ts";

/** What the sender quotes: `PT-` and eight letters or digits that are not mistaken easily. */
export const ContactReference = z
  .string()
  .regex(/^PT-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
export type ContactReference = z.infer<typeof ContactReference>;

/** Event of a contact stream (`contact-<messageId>`), free of personal data. */
export const ContactMessageReceived = z.object({
  type: z.literal("ContactMessageReceived"),
  data: z.object({
    reference: ContactReference,
    category: z.enum(subjectCategories),
    /** Of the page with the form, and of the acknowledgement. */
    language: Locale,
    /** Sent faster than a person types. It is kept and read like any other. */
    suspected: z.boolean(),
    /** Whether an acknowledgement is mailed to the sender. */
    acknowledged: z.boolean(),
  }),
});
export type ContactMessageReceived = z.infer<typeof ContactMessageReceived>;

export const ContactEvent = z.discriminatedUnion("type", [
  ContactMessageReceived,
  /** Support has settled the matter; the personal details are erased next. */
  z.object({ type: z.literal("ContactMatterSettled"), data: z.strictObject({}) }),
  /** The key to the personal details is destroyed with this event. */
  z.object({
    type: z.literal("ContactDetailsErased"),
    data: z.object({
      /** The matter is settled; it never was, and the time is over; requested by a privacy request. */
      reason: z.enum(["settled", "overdue", "asked"]),
    }),
  }),
  /** The message has left the inbox. */
  z.object({ type: z.literal("ContactMessageExpired"), data: z.object({}) }),
]);
export type ContactEvent = z.infer<typeof ContactEvent>;

/** The personal part of a contact message, sealed under a key of its own (`ContactMessageReceived`). */
export const ContactDetails = z.object({
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  /** The visit session, if the sender consented to analytics. */
  sessionId: z.string().nullable(),
});
export type ContactDetails = z.infer<typeof ContactDetails>;
