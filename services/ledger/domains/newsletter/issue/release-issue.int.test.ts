import { createHash } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { rebuildReadModel } from "../../../kernel/rebuild.ts";
import { loadStream } from "../../../kernel/streams.ts";
import {
  createTestLedger,
  testCause,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { beginPart, readContent, storeContent } from "./delivery-store.ts";
import { countRecipients, issueStatus } from "./issue-status.ts";
import type { Issue } from "./issue.ts";
import { issueEvents, issueIdOf, newsletterIssues, releaseIssue } from "./issues.ts";
import { addSubscribers, sampleIssue } from "./testing/issues.ts";

let ledger: TestLedger;
const now = instantFromMs(Date.parse("2026-12-01T08:00:00.000Z"));
const release = (issue: Issue, { ledger: store } = ledger) =>
  releaseIssue(store, issue, { now, cause: testCause("operator") });

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
  it("records it, stores its content, and requests its delivery once", async () => {
    const issue = sampleIssue();
    const issueId = issueIdOf(issue.slug);
    expect(await release(issue)).toMatchObject({ how: "recorded" });
    expect(await readContent(ledger.sql, issueId)).toEqual(issue);
    expect(await messagesOf(issue.slug)).toEqual([
      { name: "newsletter.deliver-issue", payload: { issueId, part: 1 } },
    ]);
    expect(await issueStatus(ledger.sql, issue.slug)).toMatchObject([
      { slug: issue.slug, progress: "under way", unsubscribed: 0 },
    ]);
  });

  it("twice with the same content answers the same and requests nothing more", async () => {
    const issue = sampleIssue();
    const answers = [await release(issue), await release(issue)];
    expect(answers).toMatchObject([{ how: "recorded" }, { how: "replayed" }]);
    expect(await messagesOf(issue.slug)).toHaveLength(1);
  });

  it("five times at once releases it once", async () => {
    const issue = sampleIssue();
    const answers = await Promise.all(Array.from({ length: 5 }, () => release(issue)));
    expect(answers.every(({ kind }) => kind === "answer")).toBe(true);
    expect(await messagesOf(issue.slug)).toHaveLength(1);
  });

  it("under the slug of another issue is refused, and the first one stays as it is", async () => {
    const issue = sampleIssue();
    await release(issue);
    const other = sampleIssue({ slug: issue.slug, topics: ["launch"] });
    expect(await release(other)).toEqual({
      kind: "refusal",
      code: "slug_taken",
    });
    expect(await readContent(ledger.sql, issueIdOf(issue.slug))).toEqual(issue);
    const stream = issueEvents.streamOf(issueIdOf(issue.slug));
    expect((await loadStream(ledger.sql, issueEvents, stream)).version).toBe(1);
  });

  it("is not undone by a change of the stored content", async () => {
    const issue = sampleIssue();
    await release(issue);
    await ledger.owner`update ledger.issue_content set content = replace(content, 'Hello', 'Buy')
      where content_hash = (select content_hash from ledger.newsletter_issue where slug = ${issue.slug})`;
    await expect(readContent(ledger.sql, issueIdOf(issue.slug))).rejects.toThrow("not what was");
  });
});

describe("the content of an issue", () => {
  it("is stored under its hash, which the database computes alike", async () => {
    const content = '{"שלום":"ä € 😀"}';
    await storeContent(ledger.sql, content);
    const hash = createHash("sha256").update(content).digest("hex");
    const stored = await ledger.sql`
      select content from ledger.issue_content where content_hash = ${hash}`;
    expect(stored).toEqual([{ content }]);
  });
});

describe("the recipients of an issue", () => {
  it("are those who confirmed, and chose one of its topics and its frequency", async () => {
    const own = await createTestLedger();
    const wanted = [
      ...(await addSubscribers(own.owner, 3)),
      ...(await addSubscribers(own.owner, 2, { language: "he", topics: ["features", "updates"] })),
    ];
    for (const status of ["pending", "unsubscribed", "bounced", "complained"]) {
      await addSubscribers(own.owner, 1, { status });
    }
    await addSubscribers(own.owner, 1, { topics: ["launch"] });
    await addSubscribers(own.owner, 1, { frequency: "monthly" });
    const issue = sampleIssue();
    expect(await countRecipients(own.sql, issue)).toEqual({ en: 3, he: 2 });
    await release(issue, own);
    const issueId = issueIdOf(issue.slug);
    expect(await beginPart(own.sql, issueId, 1)).toBe("first");
    // Later subscribers receive the next issue.
    await addSubscribers(own.owner, 1);
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
    "update ledger.newsletter_issue set topics = '{}'",
    "select ledger.request_issue_part(gen_random_uuid(), 1, now())",
  ])("may not %s", async (statement) => {
    await expect(ledger.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the list of issues", () => {
  it("is the same when it is rebuilt from the events", async () => {
    const result = await rebuildReadModel(ledger.owner, newsletterIssues, {
      accept: false,
    });
    expect(result.equal).toBe(true);
    expect(result.live?.rows).toBeGreaterThan(3);
  });
});
