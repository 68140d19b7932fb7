import { randomUUID } from "node:crypto";

import type { Mail } from "@pro-talent/platform/mail/mailer";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Breach, ListedBreach } from "@pro-talent/schemas/breaches/calls";
import type { Role, SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { buildLedgerApp } from "../../app.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import { breachesModule } from "./module.ts";

const hourMs = 60 * 60_000;
const store = "postgres accounts.account";
const start = Date.UTC(2026, 2, 1, 8);
const module = breachesModule({ stores: [store] });
const time = { ms: start };
const mails: Mail[] = [];
const tokens = new Map<string, SignedIn>();

let ledger: TestLedger;
let app: FastifyInstance;
let worker: WorkerContext;
beforeAll(async () => {
  ledger = await createTestLedger();
  const clock = () => time.ms;
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
  worker = {
    ...ledger,
    clock,
    stopping: new AbortController().signal,
    mailer: {
      send: async (mail: Mail) => void mails.push(mail),
      reachable: async () => true,
      close: async () => undefined,
    },
  };
});
afterAll(async () => {
  await app.close();
  await ledger.drop();
});

const base = "/api/console/privacy/breaches";
function signedIn(...roles: [Role, ...Role[]]) {
  const token = randomUUID();
  const accountId = randomUUID();
  const session = { accountId, sessionId: randomUUID(), roles, factor: true, authenticatedMs: 0 };
  tokens.set(token, session);
  return (method: "GET" | "POST", path: string, payload?: object, key: string = randomUUID()) =>
    app.inject({
      method,
      url: `${base}${path}`,
      headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
      ...(payload && { payload }),
    });
}

const facts = {
  discoveredAt: instantFromMs(start),
  people: 120,
  records: 300,
  dataCategories: ["contact"],
  peopleCategories: ["account-holders"],
  stores: [store],
};
const text = {
  nature: "A backup of Dana Levi’s laptop was stolen. דוא״ל: dana@example.com",
  consequences: "",
  measures: "Keys were changed.",
};

const officer = signedIn("holder", "officer");
async function recordBreach(): Promise<string> {
  const answer = await officer("POST", "", { facts, text });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ breachId: string }>().breachId;
}
const read = async (id: string): Promise<Breach> =>
  z.object({ breach: Breach }).parse((await officer("GET", `/${id}`)).json()).breach;
const codeOf = async (answer: Awaited<ReturnType<typeof officer>>): Promise<string> =>
  answer.json<{ code: string }>().code;

/** Fires what is due by the clock of the test, as the worker does. */
async function work(id: string): Promise<void> {
  const handlers = module.slowTimers(worker, {});
  for (;;) {
    const [due] = await ledger.owner<{ name: string }[]>`
      select name from ledger.due_timer
       where stream = ${`breach-${id}`} and fired_at is null
         and due_at <= ${new Date(time.ms)} order by due_at limit 1`;
    if (due === undefined) return;
    await handlers[due.name]?.(id, { now: instantFromMs(time.ms), cause: testCause() });
  }
}

it("is recorded, corrected, decided, notified and closed; what was written is sealed", async () => {
  const key = randomUUID();
  const first = await officer("POST", "", { facts, text }, key);
  const again = await officer("POST", "", { facts, text }, key);
  const { breachId: id } = first.json<{ breachId: string }>();
  expect(again.json()).toEqual({ breachId: id });
  const more = { ...facts, people: 4000 };
  const corrected = { ...text, consequences: "Unwanted mail" };
  await officer("POST", `/${id}/correct`, { facts: more, text: corrected, version: 1 });
  expect(await read(id)).toMatchObject({ people: 4000, text: corrected, version: 2 });
  const decide = { notify: true, reason: "The data was not encrypted", version: 2 };
  await officer("POST", `/${id}/decide`, { of: "authority", ...decide });
  const stale = await officer("POST", `/${id}/decide`, { of: "subjects", ...decide });
  expect(await codeOf(stale)).toBe("version_conflict");
  const none = { of: "subjects", notify: false, reason: "It cannot be read", version: 3 };
  await officer("POST", `/${id}/decide`, none);
  expect(await codeOf(await officer("POST", `/${id}/close`, { version: 4 }))).toBe(
    "breach_not_settled",
  );
  time.ms = start + 30 * hourMs;
  const notifiedAt = instantFromMs(time.ms);
  await officer("POST", `/${id}/notified`, { of: "authority", notifiedAt, version: 4 });
  await officer("POST", `/${id}/close`, { version: 5 });
  expect(await read(id)).toMatchObject({
    authority: "sent",
    subjects: "not-needed",
    closedAt: notifiedAt,
    authorityReason: "The data was not encrypted",
    subjectsReason: "It cannot be read",
  });
  const stored = await ledger.owner`
    select string_agg(data || meta, '') as text from ledger.event where stream = ${`breach-${id}`}`;
  expect(JSON.stringify(stored)).not.toMatch(/Dana|example\.com|encrypted|Unwanted/u);
  time.ms = start;
});

it("has drafts of both notices in both languages, made from the record", async () => {
  const { drafts } = await read(await recordBreach());
  expect(drafts.authority.en.body).toContain("People concerned (approximately): 120");
  expect(drafts.authority.en.body).toContain(
    "Likely consequences: Not known yet; it follows as soon as it is known.",
  );
  expect(drafts.authority.he.body).toContain("סוגי הנתונים: פרטי קשר");
  expect(drafts.subjects.he.title).toBe("אירוע אבטחה הנוגע לנתונים שלך");
  expect(drafts.subjects.en.body).toContain(text.measures);
});

it("mails the officers at 0, 24, 48 and 66 hours and each day after 72, until it is settled", async () => {
  const id = await recordBreach();
  mails.length = 0;
  const subjectsAt = async (hours: number) => {
    time.ms = start + hours * hourMs;
    await work(id);
    return mails.splice(0).map(({ subject }) => subject.replace(/^Breach [0-9a-f]{8}: /u, ""));
  };
  const left = (hours: number) => [`${hours} hours to notify the authority`];
  const overdue = ["the notice to the authority is overdue"];
  expect(await subjectsAt(0)).toEqual(left(72));
  expect(await subjectsAt(23)).toEqual([]);
  expect(await subjectsAt(24)).toEqual(left(48));
  expect(await subjectsAt(48)).toEqual(left(24));
  expect(await subjectsAt(66)).toEqual(left(6));
  expect(await subjectsAt(72)).toEqual(overdue);
  expect(await subjectsAt(95)).toEqual([]);
  expect(await subjectsAt(96)).toEqual(overdue);
  const { version } = await read(id);
  const none = { of: "authority", notify: false, reason: "No risk", version };
  expect((await officer("POST", `/${id}/decide`, none)).statusCode).toBe(200);
  expect(await subjectsAt(500)).toEqual([]);
  time.ms = start;
});

it("lists open breaches first, names stores of the record alone, and is for officers", async () => {
  const id = await recordBreach();
  const list = z.object({ breaches: z.array(ListedBreach) });
  const { breaches } = list.parse((await officer("GET", "")).json());
  expect(breaches.map(({ closedAt }) => closedAt === null)).toEqual(
    breaches.map(({ closedAt }) => closedAt === null).toSorted((a, b) => Number(b) - Number(a)),
  );
  expect(breaches.find(({ breachId }) => breachId === id)?.notifyBy).toBe(
    instantFromMs(start + 72 * hourMs),
  );
  const elsewhere = { ...facts, stores: ["postgres secret.table"] };
  expect(await codeOf(await officer("POST", "", { facts: elsewhere, text }))).toBe("store_unknown");
  const early = { ...facts, discoveredAt: instantFromMs(start + hourMs) };
  expect(await codeOf(await officer("POST", "", { facts: early, text }))).toBe("discovered_later");
  expect(await codeOf(await officer("GET", `/${randomUUID()}`))).toBe("breach_unknown");
  expect((await signedIn("holder")("GET", "")).statusCode).toBe(403);
});
