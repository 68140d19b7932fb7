import { type Mail, MailRefused, MailUncertain } from "@pro-talent/platform/mail/mailer";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadStream } from "../../../kernel/streams.ts";
import {
  createTestLedger,
  testCause,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { verifyLedger } from "../../../verifier/verify.ts";
import { countDeliveries, resumeIssue } from "./delivery-store.ts";
import { issueStatus } from "./issue-status.ts";
import type { Issue } from "./issue.ts";
import { deliverIssueMessage, issueEvents, issueIdOf, releaseIssue } from "./issues.ts";
import {
  addSubscribers,
  deliverDue,
  endDelays,
  recipientOf,
  sampleIssue,
  testHandlers,
} from "./testing/issues.ts";

const cause = testCause("operator");
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger({ max: 12 });
});
afterAll(() => ledger.drop());

/** A released issue for subscribers of its own. */
async function released(subscribers: number): Promise<{ issue: Issue; id: string; ids: string[] }> {
  await ledger.owner`truncate ledger.newsletter_subscriber`;
  const ids = await addSubscribers(ledger.owner, subscribers);
  const issue = sampleIssue();
  await releaseIssue(ledger.ledger, issue, { now: instantFromMs(0), cause });
  return { issue, id: issueIdOf(issue.slug), ids };
}

/** The message of an issue's first part, received by a worker. */
async function receive(worker: ReturnType<typeof testHandlers>, issueId: string): Promise<void> {
  await worker.handlers[deliverIssueMessage]?.({ issueId, part: 1 }, cause);
}

async function deliveredEvents(issueId: string): Promise<unknown[]> {
  const { events } = await loadStream(ledger.sql, issueEvents, issueEvents.streamOf(issueId));
  return events.flatMap(({ event }) => (event.type === "IssueDelivered" ? [event.data] : []));
}

const recipients = (mails: readonly Mail[]): string[] =>
  mails.map(({ to }) => to.address.split("@")[0] ?? "").toSorted();

describe("an issue", () => {
  it("reaches every subscriber once, with personal links, and is concluded", async () => {
    const { id, ids, issue } = await released(7);
    const [before] = await issueStatus(ledger.sql, issue.slug);
    const { handlers, sent } = testHandlers(ledger, {
      findRecipient: async (subscriber) =>
        recipientOf(subscriber, subscriber === ids[0] ? "he" : "en"),
    });
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    expect(new Set(sent.map((mail) => mail.id)).size).toBe(7);
    const hebrew = sent.filter(({ language }) => language === "he");
    expect(hebrew).toMatchObject([
      { subject: "ראשון", to: { address: `${ids[0]}@reader.example` } },
    ]);
    for (const mail of sent) {
      const [subscriber = ""] = mail.to.address.split("@");
      const { manageUrl, unsubscribeUrl } = recipientOf(subscriber);
      expect(mail.html).toContain('href="https://talent.example/about"');
      expect(mail.text).toContain(manageUrl);
      expect(mail.unsubscribe).toEqual({ url: unsubscribeUrl });
    }
    expect(await deliveredEvents(id)).toEqual([{ sent: 7, skipped: 0, refused: 0 }]);
    expect(await issueStatus(ledger.sql, issue.slug)).toMatchObject([
      { progress: "delivered", releasedAt: before?.releasedAt },
    ]);
    expect(await resumeIssue(ledger.sql, id)).toBe(false);
  });

  it("without subscribers is concluded at once", async () => {
    const { id } = await released(0);
    await deliverDue(ledger, testHandlers(ledger).handlers, id);
    expect(await deliveredEvents(id)).toEqual([{ sent: 0, skipped: 0, refused: 0 }]);
  });

  it("is not sent to subscribers who left before their mail was due", async () => {
    const { id, ids } = await released(5);
    const left = new Set(ids.slice(0, 2));
    const { handlers, sent } = testHandlers(ledger, {
      findRecipient: async (subscriber) =>
        left.has(subscriber) ? undefined : recipientOf(subscriber),
    });
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.slice(2).toSorted());
    expect(await deliveredEvents(id)).toEqual([{ sent: 3, skipped: 2, refused: 0 }]);
  });

  it("continues after an address that is refused permanently, and reports it", async () => {
    const { id, ids } = await released(4);
    const reported: string[] = [];
    const { handlers } = testHandlers(ledger, {
      mailer: {
        send: async ({ to }) => {
          if (to.address.startsWith(ids[1] ?? "")) throw new MailRefused("550");
        },
      },
      onRefused: async (subscriber) => void reported.push(subscriber),
    });
    await deliverDue(ledger, handlers, id);
    expect(reported).toEqual([ids[1]]);
    expect(await deliveredEvents(id)).toEqual([{ sent: 3, skipped: 0, refused: 1 }]);
  });
});

describe("a subscriber who cannot be read", () => {
  it("does not delay the others", async () => {
    const { id, ids } = await released(4);
    const { handlers, sent } = testHandlers(ledger, {
      findRecipient: async (subscriber) => {
        if (subscriber === ids[2]) throw new Error("the sealed address cannot be opened");
        return recipientOf(subscriber);
      },
    });
    await deliverDue(ledger, handlers, id);
    expect(sent).toHaveLength(3);
    expect(await countDeliveries(ledger.sql, id)).toMatchObject({ sent: 3, waiting: 1 });
  });
});

describe("a mail server", () => {
  it("that delays one mail does not delay the others", async () => {
    const { id, ids } = await released(6);
    let delays = 2;
    const sent: Mail[] = [];
    const { handlers } = testHandlers(ledger, {
      mailer: {
        send: async (mail) => {
          if (mail.to.address.startsWith(ids[0] ?? "") && delays-- > 0) throw new Error("451");
          sent.push(mail);
        },
      },
    });
    await deliverDue(ledger, handlers, id);
    expect(await countDeliveries(ledger.sql, id)).toMatchObject({ sent: 5, waiting: 1 });
    expect(await deliveredEvents(id)).toEqual([]);
    for (let turn = 0; turn < 2; turn += 1) {
      await endDelays(ledger, id);
      await deliverDue(ledger, handlers, id);
    }
    expect(recipients(sent)).toEqual(ids.toSorted());
    expect(await deliveredEvents(id)).toEqual([{ sent: 6, skipped: 0, refused: 0 }]);
  });

  it("that delays a mail twelve times has refused it", async () => {
    const { id } = await released(1);
    const { handlers } = testHandlers(ledger, {
      mailer: {
        send: async () => {
          throw new Error("451");
        },
      },
    });
    for (let turn = 0; turn < 12; turn += 1) {
      await endDelays(ledger, id);
      await deliverDue(ledger, handlers, id);
    }
    expect(await deliveredEvents(id)).toEqual([{ sent: 0, skipped: 0, refused: 1 }]);
  });

  it("that answers nothing once it has a mail gets two copies of it at most", async () => {
    const { id } = await released(4);
    let copies = 0;
    const { handlers } = testHandlers(ledger, {
      mailer: {
        send: async () => {
          copies += 1;
          throw new MailUncertain("ECONNECTION after DATA");
        },
      },
    });
    for (let pass = 0; pass < 4; pass += 1) {
      await deliverDue(ledger, handlers, id).catch(() => undefined);
      await deliverDue(ledger, handlers, id).catch(() => undefined);
      expect(copies).toBe(Math.min(4 * (pass + 1), 8));
      await endDelays(ledger, id);
    }
    expect(await countDeliveries(ledger.sql, id)).toMatchObject({ waiting: 0, refused: 4 });
  });

  it("that is away ends the part; the next one continues where it stopped", async () => {
    const { id, ids } = await released(30);
    let away = false;
    const sent: Mail[] = [];
    const { handlers } = testHandlers(ledger, {
      mailer: {
        send: async (mail) => {
          if (away) throw new Error("the mail server is away");
          away = sent.push(mail) === 10;
        },
      },
    });
    await expect(deliverDue(ledger, handlers, id)).rejects.toThrow("is away");
    expect(await countDeliveries(ledger.sql, id)).toMatchObject({ sent: 10, waiting: 20 });
    away = false;
    await endDelays(ledger, id);
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    const mailIds = new Set(sent.map((mail) => mail.id));
    expect(mailIds.size).toBe(30);
  });
});

describe("delivery in parts", () => {
  it("continues with a message of its own when a part's time is over", async () => {
    const { id, ids } = await released(25);
    const { handlers, sent } = testHandlers(ledger, {
      partMs: 1000,
      perSecond: 10,
      // Waiting takes no time here, so that a part has ten mails.
      pace: countedPace(),
    });
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    const parts = await ledger.owner`
      select part from ledger.issue_part where issue_id = ${id} order by part`;
    expect(parts).toEqual([{ part: 1 }, { part: 2 }, { part: 3 }]);
  });

  it("stops between two mails when the worker stops, and another worker continues", async () => {
    const { id, ids } = await released(20);
    const stopping = new AbortController();
    const sent: Mail[] = [];
    const send = async (mail: Mail): Promise<void> => {
      if (sent.push(mail) === 8) stopping.abort();
    };
    const first = testHandlers(ledger, { mailer: { send }, stopping: stopping.signal });
    await receive(first, id);
    expect(sent).toHaveLength(8);
    await deliverDue(ledger, testHandlers(ledger, { mailer: { send } }).handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
  });

  it("by three workers at once sends every mail once and concludes once", async () => {
    const { id, ids } = await released(120);
    const sent: Mail[] = [];
    const send = async (mail: Mail): Promise<void> => void sent.push(mail);
    await Promise.all([1, 2, 3].map(() => receive(testHandlers(ledger, { mailer: { send } }), id)));
    await endDelays(ledger, id);
    await deliverDue(ledger, testHandlers(ledger, { mailer: { send } }).handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    expect(await deliveredEvents(id)).toEqual([{ sent: 120, skipped: 0, refused: 0 }]);
  });

  it("continues when the issue is released again after it was given up", async () => {
    const { id, ids, issue } = await released(3);
    await ledger.owner`update ledger.outbox set given_up_at = clock_timestamp()
      where payload->>'issueId' = ${id}`;
    expect(await issueStatus(ledger.sql, issue.slug)).toMatchObject([{ progress: "given up" }]);
    expect(await resumeIssue(ledger.sql, id)).toBe(true);
    expect(await resumeIssue(ledger.sql, id)).toBe(false);
    expect(await issueStatus(ledger.sql, issue.slug)).toMatchObject([{ progress: "under way" }]);
    await ledger.owner`update ledger.outbox set done_at = given_up_at, given_up_at = null
      where payload->>'issueId' = ${id} and given_up_at is not null`;
    const { handlers, sent } = testHandlers(ledger);
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
  });
});

it("leaves a whole chain", async () => {
  expect((await verifyLedger(ledger.owner)).findings).toEqual([]);
});

/** A clock on which only waiting takes time. */
function countedPace() {
  let now = 0;
  return {
    now: () => now,
    wait: async (ms: number) => {
      now += ms;
    },
  };
}
