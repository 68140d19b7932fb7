import { randomUUID } from "node:crypto";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { NewsletterFrequency } from "@pro-talent/schemas/newsletter/categories";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { IssueReader } from "../compose-letter.ts";

type Wish = {
  status?: string;
  language?: Locale;
  frequency?: NewsletterFrequency;
  topics?: string;
};

/**
 * Readers as the newsletter's read model shows them: written by the owner, because issues know
 * nothing else of subscribers.
 */
export async function plantSubscribers(
  owner: Sql,
  count: number,
  wish: Wish = {},
): Promise<string[]> {
  const { status = "confirmed", language = "en", frequency = "weekly", topics = "updates" } = wish;
  const ids = Array.from({ length: count }, () => randomUUID());
  await owner`insert into ledger.newsletter_standing (subscriber_id, status, pos)
    select id, ${status}, 1 from unnest(${ids}::uuid[]) id`;
  await owner`insert into ledger.newsletter_wishes (subscriber_id, language, frequency, topics, pos)
    select id, ${language}, ${frequency}, ${topics}, 1 from unnest(${ids}::uuid[]) id`;
  return ids;
}

/** What is looked up when a letter's turn comes. */
export function readerOf(subscriberId: string, language: Locale = "en"): IssueReader {
  return {
    email: `${subscriberId}@reader.example`,
    language,
    manageUrl: `https://site.example/newsletter/preferences?token=${subscriberId}`,
    unsubscribeUrl: `https://site.example/api/newsletter/unsubscribe?token=${subscriberId}`,
  };
}
