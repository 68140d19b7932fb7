import { createHash } from "node:crypto";

import { newsletterFrequencies, newsletterTopics } from "@pro-talent/schemas/newsletter/categories";
import { IssueReleased } from "@pro-talent/schemas/newsletter/issue-events";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import { canonicalJson } from "../event-store/canonical-json.ts";

/** Nothing that could end a header or turn the direction of what follows. */
const line = (charsMax: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(charsMax)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u, "one line of plain characters");

const unique = (items: readonly string[]): boolean => new Set(items).size === items.length;

/** What both languages of an issue say about it. */
export const IssueHead = z.object({
  slug: IssueReleased.shape.data.shape.slug,
  topics: z.array(z.enum(newsletterTopics)).min(1).refine(unique, "each topic once"),
  /** Readers who chose `monthly` receive only the issues that name it. */
  frequencies: z
    .array(z.enum(newsletterFrequencies))
    .min(1)
    .refine(unique, "each frequency once")
    .default(["weekly"]),
});

/** The letter in one language. */
export const IssueLetter = z.object({
  subject: line(150),
  /** What mail programs show beside the subject. */
  preheader: line(200),
  markdown: z
    .string()
    .trim()
    .min(1)
    .max(100_000)
    .refine((text) => !text.includes("\0"), "no character U+0000"),
});
export type IssueLetter = z.infer<typeof IssueLetter>;

/** An issue as it was written. */
export const Issue = IssueHead.extend({ letters: z.record(Locale, IssueLetter) });
export type Issue = z.infer<typeof Issue>;

/** The one text of an issue: what is kept, and what its hash is taken of. */
export function issueText(issue: Issue): string {
  return canonicalJson(Issue.parse(issue));
}

/** SHA-256 in hexadecimal, as the database computes it too. */
export function contentHashOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
