import { type Mail, MailRefused } from "@pro-talent/platform/mail/mailer";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadStream } from "../event-store/read-stream.ts";
import { verifyLedger } from "../event-store/verify.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { countLetters, resumeIssue } from "./delivery-store.ts";
import { issueEvents, issueIdOf, issueStream } from "./issue-events.ts";
import { issueStatus } from "./issue-status.ts";
import type { Issue } from "./issue.ts";
import { releaseIssue } from "./release-issue.ts";
import { deliverDue, letTimePass, testHandlers } from "./testing/issue-delivery.ts";
import { sampleIssue } from "./testing/sample-issue.ts";
import { plantSubscribers, readerOf } from "./testing/subscribers.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger({ max: 12 });
});
afterAll(() => ledger.drop());

/** A released issue for readers of its own. */
async function released(readers: number): Promise<{ issue: Issue; id: string; ids: string[] }> {
  await ledger.owner`truncate ledger.newsletter_standing, ledger.newsletter_wishes`;
  const ids = await plantSubscribers(ledger.owner, readers);
  const issue = sampleIssue();
  await releaseIssue(ledger.store, issue, instantFromMs(0));
  return { issue, id: issueIdOf(issue.slug), ids };
}

async function deliveredEvents(issueId: string): Promise<unknown[]> {
  const { events } = await loadStream(ledger.store, issueEvents, issueStream(issueId));
  return events.flatMap(({ event }) => (event.type === "IssueDelivered" ? [event.data] : []));
}

const recipients = (mails: readonly Mail[]): string[] =>
  mails.map(({ to }) => to.address.split("@")[0] ?? "").toSorted();

describe("an issue", () => {
  it("reaches every reader once, with their own links, and is concluded", async () => {
    const { id, ids, issue } = await released(7);
    const { handlers, sent } = testHandlers(ledger, {
      readSubscriber: async (reader) => readerOf(reader, reader === ids[0] ? "he" : "en"),
    });
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    expect(new Set(sent.map((mail) => mail.id)).size).toBe(7);
    const hebrew = sent.filter(({ language }) => language === "he");
    expect(hebrew).toMatchObject([
      { subject: "ראשון", to: { address: `${ids[0]}@reader.example` } },
    ]);
    for (const mail of sent) {
      const [reader = ""] = mail.to.address.split("@");
      expect(mail.html).toContain('href="https://site.example/about"');
      expect(mail.text).toContain(readerOf(reader).manageUrl);
      expect(mail.unsubscribe).toEqual({ url: readerOf(reader).unsubscribeUrl });
    }
    expect(await deliveredEvents(id)).toEqual([{ sent: 7, skipped: 0, refused: 0 }]);
    expect(await issueStatus(ledger.sql, issue.slug)).toMatchObject([{ delivered: true }]);
    expect(await resumeIssue(ledger.sql, id)).toBe(false);
  });

  it("that nobody wants is concluded at once", async () => {
    const { id } = await released(0);
    await deliverDue(ledger, testHandlers(ledger).handlers, id);
    expect(await deliveredEvents(id)).toEqual([{ sent: 0, skipped: 0, refused: 0 }]);
  });

  it("is not sent to somebody who left before their turn", async () => {
    const { id, ids } = await released(5);
    const left = new Set(ids.slice(0, 2));
    const { handlers, sent } = testHandlers(ledger, {
      readSubscriber: async (reader) => (left.has(reader) ? undefined : readerOf(reader)),
    });
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.slice(2).toSorted());
    expect(await deliveredEvents(id)).toEqual([{ sent: 3, skipped: 2, refused: 0 }]);
  });

  it("goes on after an address that is refused for good, which is told", async () => {
    const { id, ids } = await released(4);
    const told: string[] = [];
    const { handlers } = testHandlers(ledger, {
      mailer: {
        send: async ({ to }) => {
          if (to.address.startsWith(ids[1] ?? "")) throw new MailRefused("550");
        },
      },
      onRefused: async (reader) => void told.push(reader),
    });
    await deliverDue(ledger, handlers, id);
    expect(told).toEqual([ids[1]]);
    expect(await deliveredEvents(id)).toEqual([{ sent: 3, skipped: 0, refused: 1 }]);
  });
});

describe("a reader who cannot be looked up", () => {
  it("does not keep the others waiting", async () => {
    const { id, ids } = await released(4);
    const outcomes: string[] = [];
    const { handlers, sent } = testHandlers(ledger, {
      observe: (outcome) => void outcomes.push(outcome),
      readSubscriber: async (reader) => {
        if (reader === ids[2]) throw new Error("what is sealed cannot be opened");
        return readerOf(reader);
      },
    });
    await deliverDue(ledger, handlers, id);
    expect(sent).toHaveLength(3);
    expect(outcomes.toSorted()).toEqual(["delayed", "sent", "sent", "sent"]);
    expect(await countLetters(ledger.sql, id)).toMatchObject({ sent: 3, waiting: 1 });
  });
});

describe("a mail server", () => {
  it("that delays one reader's letter does not keep the others waiting", async () => {
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
    expect(await countLetters(ledger.sql, id)).toMatchObject({ sent: 5, waiting: 1 });
    expect(await deliveredEvents(id)).toEqual([]);
    for (let turn = 0; turn < 2; turn += 1) {
      await letTimePass(ledger, id);
      await deliverDue(ledger, handlers, id);
    }
    expect(recipients(sent)).toEqual(ids.toSorted());
    expect(await deliveredEvents(id)).toEqual([{ sent: 6, skipped: 0, refused: 0 }]);
  });

  it("that delays a letter twelve times has refused it", async () => {
    const { id } = await released(1);
    const { handlers } = testHandlers(ledger, {
      mailer: {
        send: async () => {
          throw new Error("451");
        },
      },
    });
    for (let turn = 0; turn < 12; turn += 1) {
      await letTimePass(ledger, id);
      await deliverDue(ledger, handlers, id);
    }
    expect(await deliveredEvents(id)).toEqual([{ sent: 0, skipped: 0, refused: 1 }]);
  });

  it("that is away ends the run; the next one goes on where it stopped", async () => {
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
    expect(await countLetters(ledger.sql, id)).toMatchObject({ sent: 10, waiting: 20 });
    away = false;
    await letTimePass(ledger, id);
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    const mailIds = new Set(sent.map((mail) => mail.id));
    expect(mailIds.size).toBe(30);
  });
});

describe("delivery in parts", () => {
  it("goes on with a message of its own when a part's time is over", async () => {
    const { id, ids } = await released(25);
    const { handlers, sent } = testHandlers(ledger, {
      partMs: 1000,
      perSecond: 10,
      // Waiting takes no time here, so that a part is ten letters.
      pace: countedPace(),
    });
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    const parts = await ledger.owner`
      select part from ledger.issue_part where issue_id = ${id} order by part`;
    expect(parts).toEqual([{ part: 1 }, { part: 2 }, { part: 3 }]);
  });

  it("stops between two letters when the host stops, and another host goes on", async () => {
    const { id, ids } = await released(20);
    const stopping = new AbortController();
    const sent: Mail[] = [];
    const send = async (mail: Mail): Promise<void> => {
      if (sent.push(mail) === 8) stopping.abort();
    };
    const first = testHandlers(ledger, { mailer: { send }, signal: stopping.signal });
    const [message] = await ledger.sql<{ payload: unknown }[]>`
      select payload from ledger.outbox where payload->>'issueId' = ${id}`;
    await first.handlers["newsletter.deliver-issue"]?.(message?.payload);
    expect(sent).toHaveLength(8);
    await deliverDue(ledger, testHandlers(ledger, { mailer: { send } }).handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
  });

  it("by three hosts at once sends every letter once and concludes once", async () => {
    const { id, ids } = await released(120);
    const sent: Mail[] = [];
    const send = async (mail: Mail): Promise<void> => void sent.push(mail);
    const payload = { issueId: id, part: 1 };
    await Promise.all(
      [1, 2, 3].map(async () => {
        const { handlers } = testHandlers(ledger, { mailer: { send } });
        await handlers["newsletter.deliver-issue"]?.(payload);
      }),
    );
    await letTimePass(ledger, id);
    await deliverDue(ledger, testHandlers(ledger, { mailer: { send } }).handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
    expect(await deliveredEvents(id)).toEqual([{ sent: 120, skipped: 0, refused: 0 }]);
  });

  it("goes on when it is released again after it was given up", async () => {
    const { id, ids } = await released(3);
    await ledger.owner`update ledger.outbox set given_up_at = clock_timestamp()
      where payload->>'issueId' = ${id}`;
    expect(await resumeIssue(ledger.sql, id)).toBe(true);
    expect(await resumeIssue(ledger.sql, id)).toBe(false);
    await ledger.owner`update ledger.outbox set done_at = given_up_at, given_up_at = null
      where payload->>'issueId' = ${id} and given_up_at is not null`;
    const { handlers, sent } = testHandlers(ledger);
    await deliverDue(ledger, handlers, id);
    expect(recipients(sent)).toEqual(ids.toSorted());
  });
});

describe("afterwards", () => {
  it("the chain holds", async () => {
    const checking = verifyLedger(ledger.owner);
    expect((await checking.next()).done).toBe(true);
  });
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
