import { openTestQueue, usualBackend } from "@pro-talent/platform/queue/testing/test-queue";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { catchUp, followerOf } from "../../kernel/follow.ts";
import { followerOfProcess, type Process, registerProcesses } from "../../kernel/processes.ts";
import { rebuildReadModel } from "../../kernel/rebuild.ts";
import { workerOptions } from "../../kernel/testing/ledger-workers.ts";
import { Cause } from "../../kernel/types.ts";
import { modules } from "../../modules.ts";
import { rawAppend } from "../../testing/raw-append.ts";
import { verifyLedger } from "../../verifier/verify.ts";
import { buildLedgerWorker } from "../../worker-app.ts";
import { followSubscribers, waitlistEvents, waitlistPlaces } from "./places.ts";
import { openSignups, type Signup, type Signups } from "./testing/signups.ts";

let signups: Signups;
const dayMs = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  signups = await openSignups();
});
afterAll(() => signups.close());

/** An instance of the process, or of one that behaves otherwise. */
function instanceOf(process: Process = followSubscribers) {
  const { ledger } = signups.ledger;
  const families = modules.flatMap(({ events }) => events);
  return followerOfProcess(process, { ledger, families });
}

/** The row of a place, once process and read model have followed everything. */
async function placeOf({ subscriberId }: Signup) {
  await catchUp(instanceOf());
  await catchUp(followerOf(signups.ledger.sql, waitlistPlaces));
  const [row] = await signups.ledger.sql<{ confirmed: boolean; requested_at: Date }[]>`
    select confirmed, requested_at from ledger.waitlist_place
     where subscriber_id = ${subscriberId}`;
  return row;
}

type RecordedEvent = { type: string; event_id: string; meta: string };

async function eventsOf(stream: string): Promise<RecordedEvent[]> {
  return await signups.ledger.sql<RecordedEvent[]>`
    select type, event_id, meta from ledger.event where stream = ${stream} order by pos`;
}

const placeEventsOf = ({ subscriberId }: Signup) => eventsOf(waitlistEvents.streamOf(subscriberId));
const typesOf = async (signup: Signup) => (await placeEventsOf(signup)).map(({ type }) => type);

async function checkpoint(): Promise<number | undefined> {
  const [row] = await signups.ledger.sql<{ pos: number }[]>`
    select pos from ledger.checkpoint where follower = ${followSubscribers.name}`;
  return row?.pos;
}

async function head(): Promise<number> {
  const [row] = await signups.ledger.sql<{ pos: number }[]>`select pos from ledger.head`;
  return row?.pos ?? -1;
}

describe("a place on the waitlist", () => {
  it("is requested by the form of the signup page, and confirmed with the address", async () => {
    const signup = await signups.sendForm("signup_page");
    expect(await placeOf(signup)).toMatchObject({ confirmed: false });
    await signups.follow("confirm", signup);
    expect(await placeOf(signup)).toMatchObject({ confirmed: true });
    expect(await typesOf(signup)).toEqual(["PlaceRequested", "PlaceConfirmed"]);
  });

  it("is not requested by the form of the footer", async () => {
    const signup = await signups.sendForm("footer_form");
    await signups.follow("confirm", signup);
    await signups.follow("unsubscribe", signup);
    expect(await placeOf(signup)).toBeUndefined();
    expect(await placeEventsOf(signup)).toEqual([]);
  });

  it("keeps its time while the form is sent again", async () => {
    const signup = await signups.sendForm("signup_page");
    const first = await placeOf(signup);
    await signups.sendForm("signup_page", signup.email);
    await signups.sendForm("footer_form", signup.email);
    expect(await placeOf(signup)).toEqual(first);
    await signups.follow("confirm", signup);
    expect(await placeOf(signup)).toEqual({ ...first, confirmed: true });
  });

  it("is released when the subscriber leaves, before the address is erased", async () => {
    const signup = await signups.sendForm("signup_page");
    await signups.follow("confirm", signup);
    await signups.follow("unsubscribe", signup);
    expect(await placeOf(signup)).toBeUndefined();
    expect(await signups.fireTimers()).toBeGreaterThan(0);
    expect(await placeOf(signup)).toBeUndefined();
    expect(await typesOf(signup)).toEqual(["PlaceRequested", "PlaceConfirmed", "PlaceReleased"]);
  });

  it("is released when a request that was not confirmed is erased", async () => {
    signups.moveClock(-31 * dayMs);
    const signup = await signups.sendForm("signup_page");
    signups.moveClock(31 * dayMs);
    expect(await placeOf(signup)).toBeDefined();
    expect(await signups.fireTimers()).toBeGreaterThan(0);
    expect(await placeOf(signup)).toBeUndefined();
    expect(await typesOf(signup)).toEqual(["PlaceRequested", "PlaceReleased"]);
  });

  it.each(["hard", "complaint"] as const)("is released by a report: %s", async (kind) => {
    const signup = await signups.sendForm("signup_page");
    await signups.follow("confirm", signup);
    await signups.report(kind, signup);
    expect(await placeOf(signup)).toBeUndefined();
  });

  it("is restored when the bounce that released it was wrong", async () => {
    const signup = await signups.sendForm("signup_page");
    await signups.follow("confirm", signup);
    await signups.report("hard", signup);
    expect(await placeOf(signup)).toBeUndefined();
    const data = JSON.stringify({ status: "confirmed", tags: ["waitlist"] });
    const stream = `newsletter-${signup.subscriberId}`;
    await rawAppend(signups.ledger.owner, { stream, type: "BounceWithdrawn", data });
    expect(await placeOf(signup)).toMatchObject({ confirmed: true });
  });

  it("is kept when a mail is delayed", async () => {
    const signup = await signups.sendForm("signup_page");
    await signups.report("soft", signup);
    expect(await placeOf(signup)).toMatchObject({ confirmed: false });
  });

  it("begins anew when a subscriber who left signs up again", async () => {
    const signup = await signups.sendForm("signup_page");
    await signups.follow("confirm", signup);
    await signups.follow("unsubscribe", signup);
    const again = await signups.sendForm("signup_page", signup.email);
    expect(again).toEqual(signup);
    expect(await placeOf(signup)).toMatchObject({ confirmed: false });
  });
});

describe("an event of the process", () => {
  it("names the process, the newsletter's event and the correlation of its request", async () => {
    const signup = await signups.sendForm("signup_page");
    await signups.follow("confirm", signup);
    await placeOf(signup);
    const all = await eventsOf(`newsletter-${signup.subscriberId}`);
    const sources = all.filter(({ type }) => type !== "MailAccepted");
    const causes = (await placeEventsOf(signup)).map(({ meta }) => Cause.parse(JSON.parse(meta)));
    expect(causes).toEqual(
      sources.map(({ event_id: causationId, meta }) => ({
        actor: "process:waitlist.follow-subscribers",
        causationId,
        correlationId: Cause.parse(JSON.parse(meta)).correlationId,
      })),
    );
  });
});

describe("the process", () => {
  it("that is run again from an old checkpoint changes nothing", async () => {
    const signup = await signups.sendForm("signup_page");
    await signups.follow("confirm", signup);
    await placeOf(signup);
    const before = await head();
    await signups.ledger.owner`update ledger.checkpoint set epoch = 1, pos = 0
      where follower = ${followSubscribers.name}`;
    await catchUp(instanceOf());
    expect([await head(), await checkpoint()]).toEqual([before, before]);
  });

  it("moves its checkpoint with each command, so that it goes on there after a crash", async () => {
    const first = await signups.sendForm("signup_page");
    const position = await head();
    const second = await signups.sendForm("signup_page");
    let reactions = 0;
    const crashing: Process = {
      ...followSubscribers,
      react: (...args) => {
        reactions += 1;
        if (reactions > 1) throw new Error("the process was killed");
        return followSubscribers.react(...args);
      },
    };
    await expect(catchUp(instanceOf(crashing))).rejects.toThrow("killed");
    // The mail that was accepted is the newsletter's last event, and nothing follows from it.
    expect(await checkpoint()).toBe(position - 1);
    expect(await placeOf(first)).toBeDefined();
    expect(await placeOf(second)).toBeDefined();
    expect(await typesOf(first)).toEqual(["PlaceRequested"]);
  });

  it("in several instances at once reacts to each event once", async () => {
    const all: Signup[] = [];
    for (let index = 0; index < 5; index += 1) all.push(await signups.sendForm("signup_page"));
    await Promise.all([instanceOf(), instanceOf(), instanceOf()].map((one) => catchUp(one)));
    for (const signup of all) expect(await typesOf(signup)).toEqual(["PlaceRequested"]);
    expect(await checkpoint()).toBe(await head());
  });

  it("keeps its checkpoint while a version runs that does not have it", async () => {
    await catchUp(instanceOf());
    const before = await checkpoint();
    await registerProcesses(signups.ledger.owner, []);
    await registerProcesses(signups.ledger.owner, [followSubscribers]);
    expect(await checkpoint()).toBe(before);
  });

  it("is run by the worker, which reports how far it is behind", async () => {
    const { ownerUrl, sql, testKeys } = signups.ledger;
    const queue = await openTestQueue(usualBackend, { ownerUrl, name: "ledger" });
    const signup = await signups.sendForm("signup_page");
    const worker = await buildLedgerWorker(
      workerOptions(sql, queue.url, testKeys.keys, { modules }),
    );
    await until("the place is requested", async () => (await typesOf(signup)).length === 1);
    await until("the process has caught up", async () => {
      const { body } = await worker.inject("/metrics");
      return body.includes('ledger_follower_lag_events{follower="waitlist.follow-subscribers"} 0');
    });
    await worker.close();
    await queue.close();
  });

  it("leaves a whole chain, and a read model that is the same when it is rebuilt", async () => {
    await catchUp(followerOf(signups.ledger.sql, waitlistPlaces));
    const result = await rebuildReadModel(signups.ledger.owner, waitlistPlaces, { accept: false });
    expect(result.equal).toBe(true);
    expect(result.live?.rows).toBeGreaterThan(0);
    expect((await verifyLedger(signups.ledger.owner)).findings).toEqual([]);
  });
});
