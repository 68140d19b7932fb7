import type { Queryable } from "@pro-talent/platform/postgres/pool";

import { contentHashOf, Issue } from "./issue.ts";

/** Letters of an issue by what became of them. */
export type LetterCounts = { waiting: number; sent: number; skipped: number; refused: number };
export type SettledState = Exclude<keyof LetterCounts, "waiting">;

/** Keeps what was written, under its hash. May be repeated. */
export async function keepContent(sql: Queryable, content: string): Promise<void> {
  await sql`select ledger.keep_issue_content(${content})`;
}

/** @throws when there is no such issue, or what is kept is not what was released */
export async function readContent(sql: Queryable, issueId: string): Promise<Issue> {
  const [row] = await sql<{ content: string; content_hash: string }[]>`
    select c.content, c.content_hash
      from ledger.newsletter_issue i join ledger.issue_content c using (content_hash)
     where i.issue_id = ${issueId}`;
  if (row === undefined) throw new Error("The issue or its content is not there");
  if (contentHashOf(row.content) !== row.content_hash) {
    throw new Error("The content of the issue is not what was released");
  }
  return Issue.parse(JSON.parse(row.content));
}

/**
 * Begins a part of the delivery. `progressed`: it was interrupted after letters went out, so that
 * the next part takes over with all its turns.
 */
export async function beginPart(
  sql: Queryable,
  issueId: string,
  part: number,
): Promise<"first" | "again" | "progressed"> {
  const [row] = await sql<{ begun: "first" | "again" | "progressed" }[]>`
    select ledger.begin_issue_part(${issueId}, ${part}) as begun`;
  if (row === undefined) throw new Error("ledger.begin_issue_part answered nothing");
  return row.begun;
}

/** Asks for the next part if letters wait; gives back how many. */
export async function continueIssue(
  sql: Queryable,
  issueId: string,
  part: number,
): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select ledger.continue_issue(${issueId}, ${part}) as waiting`;
  if (row === undefined) throw new Error("ledger.continue_issue answered nothing");
  return row.waiting;
}

/** Goes on with an issue that was given up. False when it is delivered or on its way. */
export async function resumeIssue(sql: Queryable, issueId: string): Promise<boolean> {
  const [row] = await sql<{ resumed: boolean }[]>`
    select ledger.resume_issue(${issueId}) as resumed`;
  return row?.resumed === true;
}

/** The subscriber of a letter that is due; the letter stays locked for the transaction. */
export async function takeLetter(tx: Queryable, issueId: string): Promise<string | undefined> {
  const [row] = await tx<{ subscriber_id: string }[]>`
    select t as subscriber_id from ledger.take_letter(${issueId}) t`;
  return row?.subscriber_id;
}

type Letter = { readonly issueId: string; readonly subscriberId: string };

export async function settleLetter(
  tx: Queryable,
  { issueId, subscriberId }: Letter,
  state: SettledState,
): Promise<void> {
  await tx`select ledger.settle_letter(${issueId}, ${subscriberId}, ${state})`;
}

/** Puts a letter back for a while. */
export async function delayLetter(tx: Queryable, { issueId, subscriberId }: Letter): Promise<void> {
  await tx`select ledger.delay_letter(${issueId}, ${subscriberId})`;
}

export async function countLetters(sql: Queryable, issueId: string): Promise<LetterCounts> {
  const rows = await sql<{ state: keyof LetterCounts; letters: number }[]>`
    select state, count(*) as letters from ledger.issue_delivery
     where issue_id = ${issueId} group by state`;
  const counts: LetterCounts = { waiting: 0, sent: 0, skipped: 0, refused: 0 };
  for (const { state, letters } of rows) counts[state] = letters;
  return counts;
}
