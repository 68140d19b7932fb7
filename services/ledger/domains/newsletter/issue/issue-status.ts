import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { countLetters, type LetterCounts } from "./delivery-store.ts";
import type { Issue } from "./issue.ts";

/** How many would receive an issue now, by language. */
export async function countRecipients(
  sql: Queryable,
  { topics, frequencies }: Pick<Issue, "topics" | "frequencies">,
): Promise<Record<Locale, number>> {
  const rows = await sql<{ language: Locale; readers: number }[]>`
    select language, count(*) as readers from ledger.newsletter_subscriber
     where confirmed and frequency = any (${frequencies}::text[])
       and string_to_array(topics, ',') && ${topics}::text[]
     group by language`;
  const counts: Record<Locale, number> = { en: 0, he: 0 };
  for (const { language, readers } of rows) counts[language] = readers;
  return counts;
}

export type IssueStatus = {
  readonly slug: string;
  readonly releasedAt: Date;
  readonly letters: LetterCounts;
  /** Of anybody, since the release. */
  readonly unsubscribed: number;
  /** Its delivery was given up; releasing it again goes on with it. */
  readonly givenUp: boolean;
  readonly delivered: boolean;
};

type StatusRow = {
  issue_id: string;
  slug: string;
  released_at: Date;
  unsubscribed: number;
  given_up: boolean;
  delivered: boolean;
};

/** How far issues have come, the newest first; one of them, or all. */
export async function issueStatus(sql: Queryable, slug?: string): Promise<readonly IssueStatus[]> {
  const rows = await sql<StatusRow[]>`
    select i.issue_id, i.slug, e.recorded_at as released_at,
           (select count(*) from ledger.event u where u.pos > i.pos and u.type = 'Unsubscribed')
             as unsubscribed,
           exists (select from ledger.event d where d.stream = 'issue-' || i.issue_id
             and d.type = 'IssueDelivered') as delivered,
           exists (select from ledger.outbox o where o.name = 'newsletter.deliver-issue'
             and o.payload->>'issueId' = i.issue_id::text and o.given_up_at is not null)
           and not exists (select from ledger.outbox o where o.name = 'newsletter.deliver-issue'
             and o.payload->>'issueId' = i.issue_id::text
             and o.done_at is null and o.given_up_at is null) as given_up
      from ledger.newsletter_issue i join ledger.event e on e.pos = i.pos
     where ${slug ?? null}::text is null or i.slug = ${slug ?? null}
     order by i.pos desc`;
  const found: IssueStatus[] = [];
  for (const row of rows) {
    found.push({
      slug: row.slug,
      releasedAt: row.released_at,
      letters: await countLetters(sql, row.issue_id),
      unsubscribed: row.unsubscribed,
      givenUp: row.given_up && !row.delivered,
      delivered: row.delivered,
    });
  }
  return found;
}
