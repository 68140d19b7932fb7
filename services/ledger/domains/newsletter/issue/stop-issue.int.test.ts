import { MailRejected } from "@pro-talent/platform/mail/mailer";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createTestLedger,
  testCause,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { verifyLedger } from "../../../verifier/verify.ts";
import { countDeliveries } from "./delivery-store.ts";
import { describeStatus, issueStatus } from "./issue-status.ts";
import { issueIdOf, releaseIssue, resumeStopped } from "./issues.ts";
import {
  addSubscribers,
  deliverDue,
  endDelays,
  sampleIssue,
  testHandlers,
} from "./testing/issues.ts";

const context = { now: instantFromMs(0), cause: testCause("operator") };
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger({ max: 12 });
});
afterAll(() => ledger.drop());

/** A released issue and a mail server whose answers tests choose. */
async function released(subscribers: number) {
  await ledger.owner`truncate ledger.newsletter_subscriber`;
  await addSubscribers(ledger.owner, subscribers);
  const { slug, ...issue } = sampleIssue();
  await releaseIssue(ledger.ledger, { slug, ...issue }, context);
  const id = issueIdOf(slug);
  let attempts = 0;
  let answer = (_attempt: number): Error | undefined => undefined;
  const reported: string[] = [];
  const { handlers } = testHandlers(ledger, {
    onRefused: async (subscriber) => void reported.push(subscriber),
    mailer: {
      send: async () => {
        const error = answer((attempts += 1));
        if (error !== undefined) throw error;
      },
    },
  });
  return {
    slug,
    id,
    reported,
    attempts: () => attempts,
    answers: (next: typeof answer) => {
      answer = next;
    },
    deliver: async () => {
      await endDelays(ledger, id);
      await deliverDue(ledger, handlers, id);
    },
    counts: () => countDeliveries(ledger.sql, id),
    progress: async () => (await issueStatus(ledger.sql, slug))[0]?.progress,
  };
}

const rejected = () => new MailRejected("EENVELOPE 554 5.7.1 at RCPT TO");

describe("an issue that the mail server refuses", () => {
  it("stops after five mails, says why, and waits however often its messages are due", async () => {
    const issue = await released(20);
    issue.answers(rejected);
    await issue.deliver();
    expect(issue.attempts()).toBe(5);
    expect(await issue.counts()).toEqual({ waiting: 20, sent: 0, skipped: 0, refused: 0 });
    expect(issue.reported).toEqual([]);
    const [status] = await issueStatus(ledger.sql, issue.slug);
    expect(status && describeStatus(status)).toContain(
      `stopped: the mail server refuses us (EENVELOPE 554 5.7.1 at RCPT TO); remove the cause, then resume ${issue.slug}`,
    );
    await issue.deliver();
    expect(issue.attempts()).toBe(5);
  });

  it("continues where it was when it is resumed, once", async () => {
    const issue = await released(20);
    issue.answers((attempt) => (attempt > 8 ? rejected() : undefined));
    await issue.deliver();
    expect(await issue.counts()).toMatchObject({ sent: 8, waiting: 12 });
    expect(await issue.progress()).toBe("stopped");
    issue.answers(() => undefined);
    expect(await resumeStopped(ledger.ledger, issue.id, context)).toMatchObject({
      how: "recorded",
    });
    expect(await resumeStopped(ledger.ledger, issue.id, context)).toMatchObject({
      how: "unchanged",
    });
    expect(await issue.progress()).toBe("under way");
    await issue.deliver();
    expect(await issue.counts()).toMatchObject({ sent: 20, waiting: 0 });
    expect(await issue.progress()).toBe("delivered");
  });

  it("stops again when the cause is still there", async () => {
    const issue = await released(12);
    issue.answers(rejected);
    await issue.deliver();
    await resumeStopped(ledger.ledger, issue.id, context);
    await issue.deliver();
    expect(issue.attempts()).toBe(10);
    expect(await issue.progress()).toBe("stopped");
  });

  it("now and then goes on: mails in between were taken", async () => {
    const issue = await released(20);
    issue.answers((attempt) => (attempt % 5 === 0 ? undefined : rejected()));
    await issue.deliver();
    expect(issue.attempts()).toBe(20);
    expect(await issue.counts()).toMatchObject({ sent: 4, waiting: 16 });
    expect(await issue.progress()).toBe("under way");
  });
});

it("leaves a whole chain", async () => {
  expect((await verifyLedger(ledger.owner)).findings).toEqual([]);
});
