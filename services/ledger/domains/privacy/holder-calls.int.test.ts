import { randomUUID } from "node:crypto";

import type { Mail } from "@pro-talent/platform/mail/mailer";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { OwnRequest } from "@pro-talent/schemas/privacy/calls";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { buildLedgerApp } from "../../app.ts";
import { runCommand } from "../../kernel/commands.ts";
import { deliverMessage } from "../../kernel/outbox.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import { requestKeysEraser } from "./erase/stores.ts";
import { lastMail } from "./mails.ts";
import { privacyModule } from "./module.ts";
import { privacyRequests } from "./requests.ts";
import * as facts from "./testing/facts.ts";

const dayMs = 24 * 60 * 60_000;
const receivedMs = Date.UTC(2026, 2, 1, 9);
let ms = receivedMs;
const clock = (): number => ms;

let ledger: TestLedger;
let app: FastifyInstance;
const tokens = new Map<string, SignedIn>();
const mails: Mail[] = [];
const languages = new Map<string, Locale>();
const contactOf = async (accountId: string) => ({
  email: `${accountId}@example.com`,
  fullName: "Dana Levi",
  address: "",
  language: languages.get(accountId) ?? "en",
  timeZone: "Asia/Jerusalem",
});
const module = privacyModule({ erasers: [], closeAccount: async () => undefined, contactOf });

beforeAll(async () => {
  ledger = await createTestLedger();
  app = await buildLedgerApp({
    ...ledger,
    clock,
    log: createLogger({ service: "test", level: "silent" }),
    keys: ledger.testKeys.keys,
    formsPerMinute: 10_000,
    readsPerMinute: 10_000,
    environment: {},
    modules: [module],
    sessions: {
      ofToken: async (token) => tokens.get(token),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
  });
});
afterAll(async () => {
  await app.close();
  await ledger.drop();
});

/** A signed-in person; `signedInMs` ago they gave their password. */
function person({
  signedInMs = 0,
  language = "en",
}: { signedInMs?: number; language?: Locale } = {}) {
  const [accountId, token] = [randomUUID(), randomUUID()];
  languages.set(accountId, language);
  const session = { accountId, sessionId: randomUUID(), roles: ["holder" as const], factor: true };
  const send = async (
    method: "GET" | "POST",
    path: string,
    payload?: object,
    key = randomUUID(),
  ): Promise<LightMyRequestResponse> => {
    tokens.set(token, { ...session, authenticatedMs: ms - signedInMs });
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": key };
    const url = `/api/privacy/requests${path}`;
    return await app.inject({ method, url, headers, ...(payload && { payload }) });
  };
  const email = `${accountId}@example.com`;
  return {
    accountId,
    email,
    send,
    askForDeletion: async (key = randomUUID()) =>
      await send("POST", "/delete", { email, reason: "I found a job" }, key),
    requests: async () =>
      z.object({ requests: z.array(OwnRequest) }).parse((await send("GET", "")).json()).requests,
  };
}

const requestIn = (answer: LightMyRequestResponse): OwnRequest =>
  z.object({ request: OwnRequest }).parse(answer.json()).request;
const problemOf = (answer: LightMyRequestResponse) =>
  z.object({ status: z.number(), code: z.string() }).parse(answer.json());
const at = (days: number): string => new Date(receivedMs + days * dayMs).toISOString();

/** What an officer, or the worker, records meanwhile. */
async function record(id: string, fact: Parameters<typeof facts.records>[0]): Promise<void> {
  const why = { now: instantFromMs(ms), cause: testCause() };
  const command = facts.records(fact);
  const result = await runCommand(ledger.ledger, privacyRequests, {
    ...why,
    id,
    command,
    body: command,
  });
  expect(result).toMatchObject({ kind: "answer" });
}

/** Sends the mails that wait, as the worker does. */
async function deliverMails(requestId: string): Promise<readonly Mail[]> {
  const mailer = {
    send: async (mail: Mail) => void mails.push(mail),
    reachable: async () => true,
    close: async () => undefined,
  };
  const worker = { ...ledger, clock, stopping: new AbortController().signal, mailer };
  const handlers = module.messages(worker, {});
  const waiting = await ledger.owner<{ id: number }[]>`
    select id::int from ledger.outbox where done_at is null order by id`;
  for (const { id } of waiting) await deliverMessage(ledger.ledger.sql, handlers, id);
  return mails.filter(({ id }) => id.endsWith(requestId));
}

describe("the deletion of an account", () => {
  it("is scheduled at once, and says what happens on which date", async () => {
    const dana = person();
    const answer = await dana.askForDeletion();
    expect(answer.statusCode).toBe(201);
    const request = requestIn(answer);
    expect(request).toMatchObject({
      type: "delete",
      status: "scheduled",
      outcome: null,
      receivedAt: at(0),
      dueAt: "2026-03-22T22:00:00.000Z",
      deletion: {
        eraseAt: at(30),
        backupsGoneBy: at(90),
        cancellable: true,
        waived: false,
        held: false,
      },
      history: [
        { step: "received", at: at(0) },
        { step: "verified", at: at(0) },
        { step: "scheduled", at: at(0) },
      ],
    });
    expect(await dana.requests()).toEqual([request]);
    const stored = await ledger.owner`
      select string_agg(data || meta, '') as text from ledger.event
       where stream = ${`privacy-${request.requestId}`}`;
    expect(JSON.stringify(stored)).not.toMatch(/found a job|example\.com/);
  });

  it("needs the address of the account, however it is written", async () => {
    const dana = person();
    const other = { email: "another@example.com", reason: "" };
    expect(problemOf(await dana.send("POST", "/delete", other))).toEqual({
      status: 422,
      code: "email_differs",
    });
    expect(await dana.requests()).toEqual([]);
    const typed = { email: ` ${dana.email.toUpperCase()} ` };
    expect((await dana.send("POST", "/delete", typed)).statusCode).toBe(201);
  });

  it("needs a fresh sign-in, and cancelling does not", async () => {
    const dana = person({ signedInMs: dayMs });
    expect((await dana.askForDeletion()).statusCode).toBe(403);
    const late = await dana.send("POST", "/waive-grace", { email: dana.email });
    expect(late.statusCode).toBe(403);
    expect(problemOf(await dana.send("POST", "/cancel-deletion", {}))).toEqual({
      status: 409,
      code: "no_deletion",
    });
  });

  it("is one, also when it is asked for many times at once", async () => {
    const dana = person();
    const answers = await Promise.all(Array.from({ length: 8 }, () => dana.askForDeletion()));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map((answer) => requestIn(answer).requestId)).size).toBe(1);
    expect(await dana.requests()).toHaveLength(1);
  });

  it("of another account is neither seen nor cancelled", async () => {
    const [dana, omar] = [person(), person()];
    await dana.askForDeletion();
    expect(await omar.requests()).toEqual([]);
    expect(problemOf(await omar.send("POST", "/cancel-deletion", {})).code).toBe("no_deletion");
    expect((await dana.requests())[0]?.status).toBe("scheduled");
  });

  it("is cancelled within the grace period, and can be asked for again", async () => {
    const dana = person();
    const key = randomUUID();
    const { requestId } = requestIn(await dana.askForDeletion(key));
    const cancelled = requestIn(await dana.send("POST", "/cancel-deletion", {}));
    expect(cancelled).toMatchObject({ requestId, status: "completed", outcome: "cancelled" });
    expect(problemOf(await dana.send("POST", "/cancel-deletion", {})).code).toBe("no_deletion");
    expect(requestIn(await dana.askForDeletion(key))).toEqual(cancelled);
    const again = requestIn(await dana.askForDeletion());
    expect(again).toMatchObject({ status: "scheduled" });
    expect(again.requestId).not.toBe(requestId);
    expect(await dana.requests()).toHaveLength(2);
  });

  it("begins at once when its holder gives up the days that are left", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    const wrong = { email: "another@example.com" };
    expect(problemOf(await dana.send("POST", "/waive-grace", wrong)).code).toBe("email_differs");
    const waived = requestIn(await dana.send("POST", "/waive-grace", { email: dana.email }));
    expect(waived.deletion).toMatchObject({ eraseAt: at(0), waived: true, backupsGoneBy: at(90) });
    const [timer] = await ledger.owner<{ due: Date }[]>`
      select due_at as due from ledger.due_timer
       where stream = ${`privacy-${requestId}`} and name = 'privacy.erase' and fired_at is null`;
    expect(timer?.due.toISOString()).toBe(at(0));
  });

  it("is not brought forward under a legal hold", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    await record(requestId, facts.holdPlaced(instantFromMs(ms + 10 * dayMs)));
    expect(problemOf(await dana.send("POST", "/waive-grace", { email: dana.email })).code).toBe(
      "on_hold",
    );
    expect((await dana.requests())[0]?.deletion).toMatchObject({ held: true, cancellable: true });
  });

  it("is not cancelled once the erasure has begun", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    ms = receivedMs + 31 * dayMs;
    await record(requestId, { type: "EraseClaimed", data: { steps: ["accounts", "subject-key"] } });
    expect(problemOf(await dana.send("POST", "/cancel-deletion", {})).code).toBe("erasing_already");
    expect(problemOf(await dana.send("POST", "/waive-grace", { email: dana.email })).code).toBe(
      "erasing_already",
    );
    ms = receivedMs;
    expect((await dana.requests())[0]?.deletion?.cancellable).toBe(false);
  });
});

describe("what a holder writes as the reason", () => {
  const sealedOf = async (requestId: string) =>
    (
      await ledger.owner`select from ledger.event where key_id = ${requestId} and sealed is not null`
    ).length;
  const worker = (sent: Mail[]) => ({
    ...ledger,
    clock,
    stopping: new AbortController().signal,
    mailer: {
      send: async (mail: Mail) => void sent.push(mail),
      reachable: async () => true,
      close: async () => undefined,
    },
  });

  it("is destroyed when the deletion is cancelled", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    expect(await sealedOf(requestId)).toBe(1);
    await dana.send("POST", "/cancel-deletion", {});
    const [timer] = await ledger.owner<{ name: string }[]>`
      select name from ledger.due_timer
       where stream = ${`privacy-${requestId}`} and fired_at is null`;
    const handler = module.timers(worker([]), {})[timer?.name ?? ""];
    await handler?.(requestId, { now: instantFromMs(ms), cause: testCause() });
    expect(await sealedOf(requestId)).toBe(0);
  });

  it("is destroyed with the account, after its holder was mailed that the erasure has begun", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    await dana.send("POST", "/waive-grace", { email: dana.email });
    const why = { now: instantFromMs(ms), cause: testCause() };
    await record(requestId, { type: "EraseClaimed", data: { steps: ["notice", "subject-key"] } });
    const sent: Mail[] = [];
    const whose = { accountId: dana.accountId, email: dana.email };
    expect(await lastMail(contactOf).erase(worker(sent), whose, why)).toEqual({
      found: 1,
      left: 0,
    });
    expect(sent.map(({ id }) => id)).toEqual([`privacy-begun-${requestId}`]);
    expect(await requestKeysEraser.erase(worker(sent), whose, why)).toEqual({ found: 1, left: 0 });
    expect(await sealedOf(requestId)).toBe(0);
  });
});

describe("mails about a deletion", () => {
  it.each([
    ["en", "Your account will be deleted", "March 31, 2026", "Your account will not be deleted"],
    ["he", "החשבון שלך יימחק", "31 במרץ 2026", "החשבון שלך לא יימחק"],
  ] as const)("say when, and how to cancel (%s)", async (language, scheduled, day, cancelled) => {
    const dana = person({ language });
    const { requestId } = requestIn(await dana.askForDeletion());
    const [first] = await deliverMails(requestId);
    expect(first).toMatchObject({ subject: scheduled, to: { address: dana.email }, language });
    expect(first?.text).toContain(day);
    expect(first?.text).toContain("/account/privacy");
    await dana.send("POST", "/cancel-deletion", {});
    const both = await deliverMails(requestId);
    expect(both.map(({ subject }) => subject)).toEqual([scheduled, cancelled]);
  });

  it("are not sent about what was cancelled meanwhile", async () => {
    const dana = person();
    const { requestId } = requestIn(await dana.askForDeletion());
    await dana.send("POST", "/cancel-deletion", {});
    expect((await deliverMails(requestId)).map(({ id }) => id)).toEqual([
      `privacy-cancelled-${requestId}`,
    ]);
  });
});
