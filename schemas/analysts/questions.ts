import { z } from "zod";

/** A ready-made question. */
export type QuestionName = z.infer<typeof QuestionName>;
export const QuestionName = z.enum([
  "channels",
  "campaigns",
  "reading-paths",
  "entry-pages",
  "exit-pages",
  "consent-decisions",
  "link-opens",
  "newsletter-growth",
  "funnel",
  "retention",
]);

/**
 * Ready-made questions, by the form of their answer. `groups`: visitors by one property, with a total;
 * `steps`: visitors who came so far, each step a part of the one before; `cohorts`: visitors of a first week,
 * and how many of them came again. Titles and explanations are translations.
 */
export const questionKinds = {
  channels: "groups",
  campaigns: "groups",
  "reading-paths": "groups",
  "entry-pages": "groups",
  "exit-pages": "groups",
  "consent-decisions": "groups",
  "link-opens": "groups",
  "newsletter-growth": "groups",
  funnel: "steps",
  retention: "cohorts",
} as const satisfies Readonly<Record<QuestionName, string>>;
