import { z } from "zod";

import { Locale } from "../primitives/locale.ts";
import { subjectCategories } from "./categories.ts";

/** What a writer is told to quote: `PT-` and eight letters or digits that are not mistaken easily. */
export const ContactReference = z
  .string()
  .regex(/^PT-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
export type ContactReference = z.infer<typeof ContactReference>;

/** A fact of a contact stream (`contact-<messageId>`), free of personal data. */
export const ContactMessageReceived = z.object({
  type: z.literal("ContactMessageReceived"),
  data: z.object({
    reference: ContactReference,
    category: z.enum(subjectCategories),
    /** Of the page on which it was written; the acknowledgement is in it. */
    language: Locale,
    /** Sent faster than a person writes. It is kept and read like any other. */
    suspected: z.boolean(),
    /** Whether the writer is sent an acknowledgement. */
    acknowledged: z.boolean(),
  }),
});
export type ContactMessageReceived = z.infer<typeof ContactMessageReceived>;

/** Support has done with the matter; the letter is erased. */
export const ContactMatterSettled = z.object({
  type: z.literal("ContactMatterSettled"),
  data: z.strictObject({}),
});
export type ContactMatterSettled = z.infer<typeof ContactMatterSettled>;

export const ContactEvent = z.discriminatedUnion("type", [
  ContactMessageReceived,
  ContactMatterSettled,
]);
export type ContactEvent = z.infer<typeof ContactEvent>;

/** The personal side of a message, sealed under a key of its own (`ContactMessageReceived`). */
export const ContactLetter = z.object({
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  /** The analytics session, if the writer consented to analytics. */
  sessionId: z.string().nullable(),
});
export type ContactLetter = z.infer<typeof ContactLetter>;
