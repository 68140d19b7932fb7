import { z } from "zod";

import { newsletterFrequencies, newsletterTopics } from "./categories.ts";

/** Events of an issue's stream (`issue-<issueId>`). Recipients are counted, never named. */
export const IssueReleased = z.object({
  type: z.literal("IssueReleased"),
  data: z.object({
    /** The administrator's name for it, as in `2026-12-first-look`. Sent once and never again. */
    slug: z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      .max(80),
    topics: z.array(z.enum(newsletterTopics)).min(1),
    frequencies: z.array(z.enum(newsletterFrequencies)).min(1),
    /** SHA-256 of the content, in hexadecimal. */
    contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
});
export const IssueEvent = z.discriminatedUnion("type", [
  IssueReleased,
  z.object({
    type: z.literal("IssueStopped"),
    data: z.object({
      /** The part of the delivery that ended here. */
      part: z.number().int().positive(),
      /** What the mail server answered last: codes and the step, none of its words. */
      answer: z.string().regex(/^[\w .-]{1,100}$/),
    }),
  }),
  z.object({
    type: z.literal("IssueResumed"),
    /** The part that continues. */
    data: z.object({ part: z.number().int().positive() }),
  }),
  z.object({
    type: z.literal("IssueDelivered"),
    data: z.object({
      sent: z.number().int().nonnegative(),
      /** No longer wanted when they were due. */
      skipped: z.number().int().nonnegative(),
      /** Refused permanently by the subscriber's mail server. */
      refused: z.number().int().nonnegative(),
    }),
  }),
]);
export type IssueEvent = z.infer<typeof IssueEvent>;
