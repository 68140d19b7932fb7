import { createHash, randomUUID } from "node:crypto";

import { newsletterPaths, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { rebuildReadModel } from "../../kernel/rebuild.ts";
import type { Subjects } from "../../kernel/subjects.ts";
import { modules } from "../../modules.ts";
import { testCause } from "../../testing/create-test-ledger.ts";
import { definitionsOf } from "../../verifier/definitions.ts";
import { verifyLedger } from "../../verifier/verify.ts";
import { newsletterTimerHandlers } from "./messages.ts";
import { newsletterSubscribers } from "./subscriber.read-model.ts";
import {
  destroyKeyTimer,
  eraseDepartedTimer,
  eraseUnconfirmedTimer,
  newsletterEvents,
  readSubscriber,
} from "./subscribers.ts";
import { dayMs } from "./testing/histories.ts";
import {
  type NewsletterService,
  openNewsletterService,
  subscribeAndConfirm,
  subscribeBody,
} from "./testing/newsletter-service.ts";

let service: NewsletterService;
beforeAll(async () => {
  service = await openNewsletterService();
});
afterAll(() => service.close());

const newAddress = (): string => `reader-${randomUUID()}@example.com`;

/** Fires a timer of a subscriber now. */
async function fireTimer(
  subscriberId: string,
  change: Partial<Subjects> = {},
  name = eraseUnconfirmedTimer,
): Promise<void> {
  const { ledger, subjects } = service.ledger;
  const timers = newsletterTimerHandlers({ ledger, subjects: { ...subjects, ...change } });
  const now = instantFromMs(service.now());
  await timers[name]?.(subscriberId, { now, cause: testCause(`timer:${name}`) });
}

/** Every row of every table of the database, as text. */
async function everythingStored(): Promise<string> {
  const { owner } = service.ledger;
  const tables = await owner<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`;
  const rows: string[] = [];
  for (const { name } of tables) {
    for (const row of await owner.unsafe(`select t::text as row from ${name} t`)) {
      rows.push(String(row["row"]));
    }
  }
  return rows.join("\n");
}

async function expectChainWhole(): Promise<void> {
  expect(
    (await verifyLedger(service.ledger.owner, { definitions: definitionsOf(modules) })).findings,
  ).toEqual([]);
}

async function timersOf(subscriberId: string) {
  return await service.ledger.sql<{ name: string; due_ms: number }[]>`
    select name, (extract(epoch from due_at) * 1000)::bigint as due_ms from ledger.due_timer
     where stream = ${newsletterEvents.streamOf(subscriberId)}`;
}

describe("what the database holds of a subscriber", () => {
  it("contains neither the address, nor a text with it, nor a hash that could be guessed", async () => {
    const email = newAddress();
    const ownText = `Yes, ${email} wants this`;
    const { subscriberId, token } = await subscribeAndConfirm(service, email, {
      consentText: ownText,
    });
    await service.post(newsletterPaths.preferences, {
      token,
      language: "he",
      frequency: "monthly",
      topics: ["launch"],
    });
    const stored = await everythingStored();
    expect(stored).toContain(subscriberId);
    const hash = (algorithm: string): string => createHash(algorithm).update(email).digest("hex");
    const hex = Buffer.from(email).toString("hex");
    const base64 = Buffer.from(email).toString("base64").slice(0, 40);
    for (const trace of [email, email.split("@")[0] ?? "", hex, base64]) {
      expect(stored).not.toContain(trace);
    }
    for (const algorithm of ["md5", "sha1", "sha256", "sha512"]) {
      expect(stored).not.toContain(hash(algorithm));
    }
    const [event] = await service.ledger.sql<{ data: string }[]>`
      select data from ledger.event
       where stream = ${newsletterEvents.streamOf(subscriberId)} and type = 'SubscriptionRequested'`;
    expect(event?.data).toContain('"version":null');
  });
});

describe("the timer of a request", () => {
  it("is due thirty days after the last request, and cancelled by the confirmation", async () => {
    const email = newAddress();
    await service.post(subscribePath, subscribeBody(email));
    const { subscriberId } = await service.newestMail();
    const due = service.now() + 30 * dayMs;
    expect(await timersOf(subscriberId)).toEqual([{ name: eraseUnconfirmedTimer, due_ms: due }]);
    service.advance(dayMs);
    await service.post(subscribePath, subscribeBody(email));
    expect(await timersOf(subscriberId)).toEqual([
      { name: eraseUnconfirmedTimer, due_ms: due + dayMs },
    ]);
    await service.post(newsletterPaths.confirm, { token: (await service.newestMail()).token });
    expect(await timersOf(subscriberId)).toEqual([]);
  });
});

describe("thirty days without a confirmation", () => {
  it("erase the address, and leave a whole chain and the other subscribers as they were", async () => {
    const other = await subscribeAndConfirm(service, newAddress());
    const email = newAddress();
    await service.post(subscribePath, subscribeBody(email));
    const { subscriberId, token } = await service.newestMail();
    service.advance(30 * dayMs - 1);
    await fireTimer(subscriberId);
    expect(await readSubscriber(service.ledger, subscriberId)).toMatchObject({ email });
    service.advance(1);
    await fireTimer(subscriberId);
    expect(await readSubscriber(service.ledger, subscriberId)).toBeUndefined();
    expect(await service.ledger.subjects.find(subscriberId)).toBeUndefined();
    expect(
      await service.ledger.owner`
      select from ledger.event where key_id = ${subscriberId} and sealed is not null`,
    ).toEqual([]);
    expect(
      await service.ledger.owner`
      select from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`,
    ).toEqual([]);
    await expectChainWhole();
    expect(await readSubscriber(service.ledger, other.subscriberId)).toBeDefined();
    const confirming = await service.post(newsletterPaths.confirm, { token });
    expect(confirming.json()).toMatchObject({ code: "token_unknown" });
    const token2 = service.manageToken(subscriberId);
    const leaving = await service.post(newsletterPaths.unsubscribe, { token: token2 });
    expect(leaving.statusCode).toBe(200);
  });

  it("are completed by the next timer after a crash between the event and the key", async () => {
    await service.post(subscribePath, subscribeBody(newAddress()));
    const { subscriberId } = await service.newestMail();
    service.advance(30 * dayMs);
    const crash = () => Promise.reject(new Error("the process was killed"));
    await expect(fireTimer(subscriberId, { shred: crash })).rejects.toThrow("killed");
    expect(await service.ledger.subjects.find(subscriberId)).toBeDefined();
    const due = { name: destroyKeyTimer, due_ms: service.now() };
    expect(await timersOf(subscriberId)).toEqual([due]);
    await fireTimer(subscriberId, {}, destroyKeyTimer);
    expect(await service.ledger.subjects.find(subscriberId)).toBeUndefined();
    await fireTimer(subscriberId, {}, destroyKeyTimer);
  });

  it("make a new subscriber of the same address, also before the key is destroyed", async () => {
    const email = newAddress();
    await service.post(subscribePath, subscribeBody(email));
    const first = await service.newestMail();
    service.advance(30 * dayMs);
    const crash = () => Promise.reject(new Error("the process was killed"));
    await expect(fireTimer(first.subscriberId, { shred: crash })).rejects.toThrow("killed");
    const response = await service.post(subscribePath, subscribeBody(email));
    expect(response.json()).toEqual({ status: "confirmation_sent" });
    const second = await service.newestMail();
    expect(second.subscriberId).not.toBe(first.subscriberId);
    expect(await service.ledger.subjects.find(first.subscriberId)).toBeUndefined();
    expect((await service.post(newsletterPaths.confirm, { token: second.token })).json()).toEqual({
      status: "confirmed",
      email,
    });
  });
});

describe("unsubscribing", () => {
  it("erases the address at once, and the token still shows the subscriber as unsubscribed", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email);
    await service.post(newsletterPaths.unsubscribe, { token });
    expect(await timersOf(subscriberId)).toEqual([
      { name: eraseDepartedTimer, due_ms: service.now() },
    ]);
    await fireTimer(subscriberId, {}, eraseDepartedTimer);
    expect(await service.ledger.subjects.find(subscriberId)).toBeUndefined();
    const preferences = await service.get(`${newsletterPaths.preferences}?token=${token}`);
    expect(preferences.json()).toMatchObject({ status: "unsubscribed", email: "" });
    const again = await service.post(newsletterPaths.unsubscribe, { token });
    expect(again.json()).toEqual({ status: "unsubscribed" });
    await service.post(subscribePath, subscribeBody(email));
    expect((await service.newestMail()).subscriberId).not.toBe(subscriberId);
    await expectChainWhole();
  });

  it("erases nothing after a new request", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email);
    await service.post(newsletterPaths.unsubscribe, { token });
    await service.post(subscribePath, subscribeBody(email));
    await fireTimer(subscriberId, {}, eraseDepartedTimer);
    expect(await readSubscriber(service.ledger, subscriberId)).toMatchObject({ email });
    expect((await timersOf(subscriberId)).map(({ name }) => name)).toEqual([eraseUnconfirmedTimer]);
  });
});

describe("the read model of subscribers", () => {
  it("is the same when it is rebuilt from the events", async () => {
    const before = await service.ledger.owner`
      select * from ledger.newsletter_subscriber order by subscriber_id`;
    const result = await rebuildReadModel(service.ledger.owner, newsletterSubscribers, {
      accept: false,
    });
    expect(result).toMatchObject({ equal: true, swapped: true });
    expect(result.live?.rows).toBeGreaterThan(0);
    expect(
      await service.ledger.sql`
      select * from ledger.newsletter_subscriber order by subscriber_id`,
    ).toEqual(before);
  });
});
