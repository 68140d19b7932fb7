import { z } from "zod";

import { emailCharsMax, looksLikeEmail } from "../primitives/email-shape.ts";
import { Locale } from "../primitives/locale.ts";
import { subjectCategories } from "./categories.ts";
import { contactLimits as limit } from "./limits.ts";

const line = (max: number) => z.string().trim().min(1).max(max);

/** `POST /api/contact/send`: a message to the people behind the product. */
export const ContactRequest = z.object({
  name: line(limit.nameCharsMax),
  email: line(emailCharsMax).refine(looksLikeEmail, "an e-mail address"),
  /** The category itself, or the writer's own words under `other`. */
  subject: line(limit.subjectCharsMax),
  subjectCategory: z.enum(subjectCategories),
  message: z.string().trim().min(limit.messageCharsMin).max(limit.messageCharsMax),
  /** The analytics session, from visitors who consented to analytics. */
  sessionId: z.string().min(1).max(limit.sessionIdCharsMax).nullish(),
  /** Of the page; without it the language is that of the request's cookie and headers. */
  language: Locale.optional(),
  /** Milliseconds from the first key to sending, if the page could tell. */
  writingMs: z.number().int().nonnegative().max(limit.writingMsMax).optional(),
  /** Filled in by programs only; such a message is answered like any other and goes nowhere. */
  website: z.string().max(limit.trapCharsMax).optional(),
});
export type ContactRequest = z.infer<typeof ContactRequest>;

/** A message that was taken. The browser reads nothing of it but that it came. */
export const ContactAnswer = z.object({ status: z.literal("received") });
export type ContactAnswer = z.infer<typeof ContactAnswer>;
