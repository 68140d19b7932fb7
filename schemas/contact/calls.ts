import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { emailCharsMax } from "../primitives/email-limits.ts";
import { looksLikeEmail } from "../primitives/email-shape.ts";
import { Locale } from "../primitives/locale.ts";
import { contactPath, subjectCategories } from "./categories.ts";
import { contactLimits as limit } from "./limits.ts";

const line = (max: number) => z.string().trim().min(1).max(max);

/** A message to support. */
export const ContactRequest = z.object({
  name: line(limit.nameCharsMax),
  email: line(emailCharsMax).refine(looksLikeEmail, "an e-mail address"),
  /** The category itself, or the sender's own text under `other`. */
  subject: line(limit.subjectCharsMax),
  subjectCategory: z.enum(subjectCategories),
  message: z.string().trim().min(limit.messageCharsMin).max(limit.messageCharsMax),
  /** The visit session, from visitors who consented to analytics. */
  sessionId: z.string().min(1).max(limit.sessionIdCharsMax).nullish(),
  /** Of the page; without it the language is that of the request's cookie and headers. */
  language: Locale.optional(),
  /** Milliseconds from the first key to sending, if the page measured it. */
  writingMs: z.number().int().nonnegative().max(limit.writingMsMax).optional(),
  /** Honeypot, filled in by programs only: such a message is answered like any other and dropped. */
  website: z.string().max(limit.honeypotCharsMax).optional(),
});
export type ContactRequest = z.infer<typeof ContactRequest>;

/** The message was stored. Browsers read only the status. */
export const ContactAnswer = z.object({ status: z.literal("received") });
export type ContactAnswer = z.infer<typeof ContactAnswer>;

export const contactCalls = defineCalls({
  [`POST ${contactPath}` as const]: {
    summary: "Sends a message to support",
    access: "public",
    plainForm: true,
    bodyBytesMax: limit.bodyBytesMax,
    body: ContactRequest,
    answer: ContactAnswer,
  },
});
