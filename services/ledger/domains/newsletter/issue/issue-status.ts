import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { countDeliveries, type DeliveryCounts } from "./delivery-store.ts";
import type { Issue } from "./issue.ts";

/** How many subscribers would receive an issue now, by language. */
export async function countRecipients(
  sql: Queryable,
  { topics, frequencies }: Pick<Issue, "topics" | "frequencies">,
): Promise<Record<Locale, number>> {
  const rows = await sql<{ language: Locale; subscribers: number }[]>`
    select language, count(*) as subscribers from ledger.newsletter_subscriber
     where status = 'confirmed' and frequency = any (${frequencies}::text[])
       and topics && ${topics}::text[]
     group by language`;
  const counts: Record<Locale, number> = { en: 0, he: 0 };
  for (const { language, subscribers } of rows) counts[language] = subscribers;
  return counts;
}

export type IssueStatus = {
  readonly slug: string;
  readonly releasedAt: Date;
  readonly deliveries: DeliveryCounts;
  /** All that followed since the release. */
  readonly unsubscribed: number;
  /** Its delivery was given up; releasing it again continues it. */
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

/** The progress of issues, the newest first; one of them, or all. */
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
      deliveries: await countDeliveries(sql, row.issue_id),
      unsubscribed: row.unsubscribed,
      givenUp: row.given_up && !row.delivered,
      delivered: row.delivered,
    });
  }
  return found;
}

/** An issue as an administrator sees it before it is sent. */
export function describeIssue(issue: Issue, recipients: Readonly<Record<Locale, number>>): string {
  const { slug, topics, frequencies, editions } = issue;
  return [
    `Issue ${slug}`,
    `  topics       ${topics.join(", ")}`,
    `  frequencies  ${frequencies.join(", ")}`,
    `  en           ${editions.en.subject}`,
    `  he           ${editions.he.subject}`,
    `  recipients   ${recipients.en + recipients.he} (en ${recipients.en}, he ${recipients.he})`,
  ].join("\n");
}

/** A released issue with its progress. */
export function describeStatus(status: IssueStatus): string {
  const { waiting, sent, skipped, refused } = status.deliveries;
  const progress = status.delivered
    ? "delivered"
    : status.givenUp
      ? "given up; send it again to continue"
      : "under way";
  return [
    `${status.slug}  ${status.releasedAt.toISOString()}  ${progress}`,
    `  waiting ${waiting}, sent ${sent}, skipped ${skipped}, refused ${refused}`,
    `  unsubscribed since: ${status.unsubscribed}`,
  ].join("\n");
}
