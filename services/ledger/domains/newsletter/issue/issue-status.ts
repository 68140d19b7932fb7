import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { countDeliveries, type DeliveryCounts } from "./delivery-store.ts";
import type { Issue } from "./issue.ts";
import { deliverIssueMessage } from "./issues.ts";

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
  /** All subscribers who have left since the release. */
  readonly unsubscribed: number;
  readonly progress: "under way" | "delivered" | "stopped" | "given up";
  /** The mail server's last answer to an issue that is stopped. */
  readonly answer: string | null;
};

type StatusRow = Omit<IssueStatus, "deliveries"> & { readonly issueId: string };

/**
 * The progress of issues, the newest first; one of them, or all. An issue that was given up continues
 * when it is released again.
 */
export async function issueStatus(sql: Queryable, slug?: string): Promise<readonly IssueStatus[]> {
  const rows = await sql<StatusRow[]>`
    select i.issue_id as "issueId", i.slug, e.recorded_at as "releasedAt",
           (select count(*) from ledger.event u where u.pos > i.pos and u.type = 'Unsubscribed')
             as unsubscribed,
           case when exists (select from ledger.event d where d.stream = 'issue-' || i.issue_id
                  and d.type = 'IssueDelivered') then 'delivered'
                when s.type = 'IssueStopped' then 'stopped'
                when o.given_up and not o.waiting then 'given up'
                else 'under way' end as progress,
           case when s.type = 'IssueStopped' then s.data::json->>'answer' end as answer
      from ledger.newsletter_issue i join ledger.event e on e.pos = i.pos
           cross join lateral (
             select bool_or(given_up_at is not null) as given_up,
                    bool_or(done_at is null and given_up_at is null) as waiting
               from ledger.outbox where name = ${deliverIssueMessage}
                and payload->>'issueId' = i.issue_id::text) o
           left join lateral (
             select l.type, l.data from ledger.event l
              where l.stream = 'issue-' || i.issue_id order by l.version desc limit 1) s on true
     where ${slug ?? null}::text is null or i.slug = ${slug ?? null}
     order by i.pos desc`;
  const found: IssueStatus[] = [];
  for (const { issueId, ...row } of rows) {
    found.push({ ...row, deliveries: await countDeliveries(sql, issueId) });
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
  const { slug, releasedAt, progress, answer, deliveries, unsubscribed } = status;
  const { waiting, sent, skipped, refused } = deliveries;
  const advice = {
    "given up": "; send it again to continue",
    stopped: `: the mail server refuses us (${answer}); remove the cause, then resume ${slug}`,
    "under way": "",
    delivered: "",
  }[progress];
  return [
    `${slug}  ${releasedAt.toISOString()}  ${progress}${advice}`,
    `  waiting ${waiting}, sent ${sent}, skipped ${skipped}, refused ${refused}`,
    `  unsubscribed since: ${unsubscribed}`,
  ].join("\n");
}
