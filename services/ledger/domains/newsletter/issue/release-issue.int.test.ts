import { createHash } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readingStored } from "../event-store/projection.ts";
import { loadStream } from "../event-store/read-stream.ts";
import { rebuildProjection } from "../event-store/rebuild.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { beginPart, keepContent, readContent } from "./delivery-store.ts";
import { issueEvents, issueIdOf, issueStream } from "./issue-events.ts";
import { countRecipients, issueStatus } from "./issue-status.ts";
import { releaseIssue } from "./release-issue.ts";
import { releasedIssues } from "./released-issue.projection.ts";
import { sampleIssue } from "./testing/sample-issue.ts";
import { plantSubscribers } from "./testing/subscribers.ts";

let ledger: TestLedger;
const now = instantFromMs(Date.parse("2026-12-01T08:00:00.000Z"));

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

async function messagesOf(slug: string): Promise<unknown[]> {
  const rows = await ledger.sql<{ name: string; payload: unknown }[]>`
    select name, payload from ledger.outbox where payload->>'issueId' = ${issueIdOf(slug)}`;
  return [...rows];
}

describe("releasing an issue", () => {
  it("records it, keeps what was written, and asks once for its delivery", async () => {
    const issue = sampleIssue();
    const issueId = issueIdOf(issue.slug);
    expect(await releaseIssue(ledger.store, issue, now)).toMatchObject({ how: "recorded" });
    expect(await readContent(ledger.sql, issueId)).toEqual(issue);
    expect(await messagesOf(issue.slug)).toEqual([
      { name: "newsletter.deliver-issue", payload: { issueId, part: 1 } },
    ]);
    expect(await issueStatus(ledger.sql, issue.slug)).toMatchObject([
      { slug: issue.slug, delivered: false, givenUp: false, unsubscribed: 0 },
    ]);
  });

  it("twice with the same content answers the same and sends nothing more", async () => {
    const issue = sampleIssue();
    const answers = [
      await releaseIssue(ledger.store, issue, now),
      await releaseIssue(ledger.store, issue, now),
    ];
    expect(answers).toMatchObject([{ how: "recorded" }, { how: "replayed" }]);
    expect(await messagesOf(issue.slug)).toHaveLength(1);
  });

  it("five times at once releases it once", async () => {
    const issue = sampleIssue();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => releaseIssue(ledger.store, issue, now)),
    );
    expect(answers.every(({ kind }) => kind === "answer")).toBe(true);
    expect(await messagesOf(issue.slug)).toHaveLength(1);
  });

  it("under a slug that another issue has is refused, and the first one stays as it is", async () => {
    const issue = sampleIssue();
    await releaseIssue(ledger.store, issue, now);
    const other = sampleIssue({ slug: issue.slug, topics: ["launch"] });
    expect(await releaseIssue(ledger.store, other, now)).toEqual({
      kind: "refusal",
      code: "slug_taken",
    });
    expect(await readContent(ledger.sql, issueIdOf(issue.slug))).toEqual(issue);
    const stream = issueStream(issueIdOf(issue.slug));
    expect((await loadStream(ledger.store, issueEvents, stream)).version).toBe(1);
  });

  it("is not undone by somebody who exchanges what was written", async () => {
    const issue = sampleIssue();
    await releaseIssue(ledger.store, issue, now);
    await ledger.owner`update ledger.issue_content set content = replace(content, 'Hello', 'Buy')
      where content_hash = (select content_hash from ledger.newsletter_issue where slug = ${issue.slug})`;
    await expect(readContent(ledger.sql, issueIdOf(issue.slug))).rejects.toThrow("not what was");
  });
});

describe("what was written", () => {
  it("is kept under its hash, the same in the database as here", async () => {
    const content = '{"שלום":"ä € 😀"}';
    await keepContent(ledger.sql, content);
    const hash = createHash("sha256").update(content).digest("hex");
    const kept = await ledger.sql`
      select content from ledger.issue_content where content_hash = ${hash}`;
    expect(kept).toEqual([{ content }]);
  });
});

describe("the readers of an issue", () => {
  it("are those who confirmed, chose one of its topics, and read as often", async () => {
    const own = await createTestLedger();
    const wanted = [
      ...(await plantSubscribers(own.owner, 3)),
      ...(await plantSubscribers(own.owner, 2, { language: "he", topics: "features,updates" })),
    ];
    for (const status of ["pending", "unsubscribed", "bounced", "complained"]) {
      await plantSubscribers(own.owner, 1, { status });
    }
    await plantSubscribers(own.owner, 1, { topics: "launch" });
    await plantSubscribers(own.owner, 1, { frequency: "monthly" });
    const issue = sampleIssue();
    expect(await countRecipients(own.sql, issue)).toEqual({ en: 3, he: 2 });
    await releaseIssue(own.store, issue, now);
    const issueId = issueIdOf(issue.slug);
    expect(await beginPart(own.sql, issueId, 1)).toBe("first");
    // Whoever comes later gets the next issue.
    await plantSubscribers(own.owner, 1);
    expect(await beginPart(own.sql, issueId, 1)).toBe("again");
    const listed = await own.sql<{ subscriber_id: string }[]>`
      select subscriber_id from ledger.issue_delivery where issue_id = ${issueId}`;
    expect(listed.map((row) => row.subscriber_id).toSorted()).toEqual(wanted.toSorted());
    await own.drop();
  });
});

describe("the service", () => {
  it.each([
    "update ledger.issue_delivery set state = 'waiting'",
    "insert into ledger.issue_part values (gen_random_uuid(), 1)",
    "delete from ledger.issue_content",
    "update ledger.newsletter_issue set topics = ''",
    "select ledger.ask_for_part(gen_random_uuid(), 1, now())",
  ])("may not %s", async (statement) => {
    await expect(ledger.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the list of issues", () => {
  it("is the same when it is written anew from the events", async () => {
    const result = await rebuildProjection(ledger.owner, readingStored(releasedIssues), {
      accept: false,
    });
    expect(result.equal).toBe(true);
    expect(result.tables[0]?.liveRows).toBeGreaterThan(3);
  });
});
