import { randomUUID } from "node:crypto";

import type { Mail } from "@pro-talent/platform/mail/mailer";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { deliverMessage, type MessageHandlers } from "../../../../kernel/outbox.ts";
import type { TestLedger } from "../../../../testing/create-test-ledger.ts";
import type { Recipient } from "../compose-mail.ts";
import { createIssueHandlers, type IssueDelivery } from "../deliver-issue.ts";
import { Issue } from "../issue.ts";

/** An issue for weekly readers of updates, unless changed; each has a slug of its own. */
export function sampleIssue(change: Partial<Issue> = {}): Issue {
  const edition = { preheader: "News", markdown: "Hello, [read on](/about)." };
  return Issue.parse({
    slug: `issue-${randomUUID()}`,
    topics: ["updates"],
    frequencies: ["weekly"],
    editions: { en: { ...edition, subject: "First" }, he: { ...edition, subject: "ראשון" } },
    ...change,
  });
}

/**
 * Adds rows to the newsletter's read model, as the owner: issues know nothing else of subscribers.
 * @returns the subscribers' ids
 */
export async function addSubscribers(
  owner: Sql,
  count: number,
  change: { status?: string; language?: Locale; frequency?: string; topics?: string[] } = {},
): Promise<string[]> {
  const {
    status = "confirmed",
    language = "en",
    frequency = "weekly",
    topics = ["updates"],
  } = change;
  const ids = Array.from({ length: count }, () => randomUUID());
  await owner`insert into ledger.newsletter_subscriber
      (subscriber_id, status, language, frequency, topics, pos)
    select id, ${status}, ${language}, ${frequency}, ${topics}::text[], 1
      from unnest(${ids}::uuid[]) id`;
  return ids;
}

/** A subscriber as `findRecipient` returns one. */
export function recipientOf(subscriberId: string, language: Locale = "en"): Recipient {
  return {
    email: `${subscriberId}@reader.example`,
    language,
    manageUrl: `https://talent.example/newsletter/preferences?token=${subscriberId}`,
    unsubscribeUrl: `https://talent.example/api/newsletter/unsubscribe?token=${subscriberId}`,
  };
}

/** A worker's handlers that send into a list, as fast as they can, unless changed. */
export function testHandlers(
  ledger: TestLedger,
  change: Partial<IssueDelivery> = {},
): { handlers: MessageHandlers; sent: Mail[] } {
  const sent: Mail[] = [];
  const handlers = createIssueHandlers({
    ...ledger,
    mailer: { send: async (mail) => void sent.push(mail) },
    findRecipient: async (id) => recipientOf(id),
    onRefused: async () => undefined,
    perSecond: 100_000,
    postalAddress: "",
    stopping: new AbortController().signal,
    ...change,
  });
  return { handlers, sent };
}

/** Delivers the messages of an issue that are due, the new ones too. @throws as the handlers do */
export async function deliverDue(
  ledger: TestLedger,
  handlers: MessageHandlers,
  issueId: string,
): Promise<void> {
  for (;;) {
    const [due] = await ledger.sql<{ id: number }[]>`
      select id from ledger.outbox
       where payload->>'issueId' = ${issueId} and done_at is null and due_at <= clock_timestamp()
       order by id limit 1`;
    if (due === undefined) return;
    await deliverMessage(ledger.sql, handlers, due.id);
  }
}

/** Ends the time that delayed deliveries, and messages that wait for them, have to wait. */
export async function endDelays(ledger: TestLedger, issueId: string): Promise<void> {
  await ledger.owner`update ledger.issue_delivery set due_at = clock_timestamp()
    where issue_id = ${issueId} and state = 'waiting'`;
  await ledger.owner`update ledger.outbox set due_at = clock_timestamp()
    where payload->>'issueId' = ${issueId} and done_at is null`;
}
