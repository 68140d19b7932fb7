import type { Queryable } from "@pro-talent/platform/postgres/pool";

import { contentHashOf, type Issue, parseIssueText } from "./issue.ts";

/** Deliveries of an issue by state. */
export type DeliveryCounts = { waiting: number; sent: number; skipped: number; refused: number };
export type SettledState = Exclude<keyof DeliveryCounts, "waiting">;

/** Stores the text of an issue under its hash. May be repeated. */
export async function storeContent(sql: Queryable, content: string): Promise<void> {
  await sql`select ledger.store_issue_content(${content})`;
}

/** @throws when there is no such issue, or the stored content is not what was released */
export async function readContent(sql: Queryable, issueId: string): Promise<Issue> {
  const [row] = await sql<{ content: string; content_hash: string }[]>`
    select c.content, c.content_hash
      from ledger.newsletter_issue i join ledger.issue_content c using (content_hash)
     where i.issue_id = ${issueId}`;
  if (row === undefined) throw new Error("The issue or its content does not exist");
  if (contentHashOf(row.content) !== row.content_hash) {
    throw new Error("The content of the issue is not what was released");
  }
  return parseIssueText(row.content);
}

/**
 * Begins a part of the delivery. `progressed`: it was interrupted after mails were sent, so that
 * the next part takes over with all its attempts.
 */
export async function beginPart(
  sql: Queryable,
  issueId: string,
  part: number,
): Promise<"first" | "again" | "progressed"> {
  const [row] = await sql<{ begun: "first" | "again" | "progressed" }[]>`
    select ledger.begin_issue_part(${issueId}, ${part}) as begun`;
  if (row === undefined) throw new Error("ledger.begin_issue_part returned nothing");
  return row.begun;
}

/** Requests the next part if deliveries wait. @returns how many */
export async function continueIssue(
  sql: Queryable,
  issueId: string,
  part: number,
): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select ledger.continue_issue(${issueId}, ${part}) as waiting`;
  if (row === undefined) throw new Error("ledger.continue_issue returned nothing");
  return row.waiting;
}

/** Continues an issue that was given up. False when it is delivered or under way. */
export async function resumeIssue(sql: Queryable, issueId: string): Promise<boolean> {
  const [row] = await sql<{ resumed: boolean }[]>`
    select ledger.resume_issue(${issueId}) as resumed`;
  return row?.resumed === true;
}

/** The subscriber of a due delivery, which stays locked for the transaction. */
export async function takeDelivery(tx: Queryable, issueId: string): Promise<string | undefined> {
  const [row] = await tx<{ subscriber_id: string }[]>`
    select t as subscriber_id from ledger.take_delivery(${issueId}) t`;
  return row?.subscriber_id;
}

export type Delivery = { readonly issueId: string; readonly subscriberId: string };

export async function settleDelivery(
  tx: Queryable,
  { issueId, subscriberId }: Delivery,
  state: SettledState,
): Promise<void> {
  await tx`select ledger.settle_delivery(${issueId}, ${subscriberId}, ${state})`;
}

/** Delays a delivery. */
export async function delayDelivery(
  tx: Queryable,
  { issueId, subscriberId }: Delivery,
): Promise<void> {
  await tx`select ledger.delay_delivery(${issueId}, ${subscriberId})`;
}

/** Delays a delivery that may have arrived by hours; the second time, it counts as refused. */
export async function doubtDelivery(
  tx: Queryable,
  { issueId, subscriberId }: Delivery,
): Promise<void> {
  await tx`select ledger.doubt_delivery(${issueId}, ${subscriberId})`;
}

export async function countDeliveries(sql: Queryable, issueId: string): Promise<DeliveryCounts> {
  const rows = await sql<{ state: keyof DeliveryCounts; deliveries: number }[]>`
    select state, count(*) as deliveries from ledger.issue_delivery
     where issue_id = ${issueId} group by state`;
  const counts: DeliveryCounts = { waiting: 0, sent: 0, skipped: 0, refused: 0 };
  for (const { state, deliveries } of rows) counts[state] = deliveries;
  return counts;
}
