import { createHash } from "node:crypto";

import { newsletterFrequencies, newsletterTopics } from "@pro-talent/schemas/newsletter/categories";
import { IssueReleased } from "@pro-talent/schemas/newsletter/issue-events";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import { canonicalJson } from "../../../kernel/canonical-json.ts";

/** An issue cannot be sent as it is written; the message names the place, for its author. */
export class IssueRefused extends Error {
  override readonly name = "IssueRefused";
}

/** Nothing that could end a header or change the direction of what follows. */
const line = (charsMax: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(charsMax)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u, "one line of plain characters");

const unique = (items: readonly string[]): boolean => new Set(items).size === items.length;

/** What is the same in both languages of an issue. */
export const IssueHead = z.object({
  slug: IssueReleased.shape.data.shape.slug,
  topics: z.array(z.enum(newsletterTopics)).min(1).refine(unique, "each topic once"),
  /** Subscribers who chose `monthly` receive only the issues that name it. */
  frequencies: z
    .array(z.enum(newsletterFrequencies))
    .min(1)
    .refine(unique, "each frequency once")
    .default(["weekly"]),
});

/** An issue in one language. */
export const Edition = z.object({
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
export type Edition = z.infer<typeof Edition>;

/** An issue with both editions. */
export const Issue = IssueHead.extend({ editions: z.record(Locale, Edition) });
export type Issue = z.infer<typeof Issue>;

/** The stored form, whose hash names the issue for ever: its names never change. */
const StoredIssue = IssueHead.extend({ letters: z.record(Locale, Edition) });

/** The one text of an issue: what is stored and hashed. */
export function issueText(issue: Issue): string {
  const { editions: letters, ...head } = Issue.parse(issue);
  return canonicalJson({ ...head, letters });
}

/** The issue of a stored text. @throws ZodError */
export function parseIssueText(text: string): Issue {
  const { letters: editions, ...head } = StoredIssue.parse(JSON.parse(text));
  return { ...head, editions };
}

/** SHA-256 in hexadecimal, as the database computes it too. */
export function contentHashOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
