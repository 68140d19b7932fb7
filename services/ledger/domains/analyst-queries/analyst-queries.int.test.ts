import { randomUUID } from "node:crypto";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { ListedQuery } from "@pro-talent/schemas/analysts/audit-calls";
import { historyCalls } from "@pro-talent/schemas/analysts/work-calls";
import type { Role, SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantFromMs, instantPlusMonths } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { buildLedgerApp } from "../../app.ts";
import {
  createTestLedger,
  internalToken,
  testCause,
  type TestLedger,
} from "../../testing/create-test-ledger.ts";
import { queriesHeld } from "./held-queries.ts";
import { analystQueriesModule } from "./module.ts";

const start = Date.UTC(2026, 2, 1, 8);
const time = { ms: start };
const tokens = new Map<string, SignedIn>();
const analystId = randomUUID();

let ledger: TestLedger;
let app: FastifyInstance;
beforeAll(async () => {
  ledger = await createTestLedger();
  app = await buildLedgerApp({
    ...ledger,
    clock: () => time.ms,
    log: createLogger({ service: "test", level: "silent" }),
    keys: ledger.testKeys.keys,
    formsPerMinute: 10_000,
    readsPerMinute: 10_000,
    environment: {},
    modules: [analystQueriesModule],
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

const text = "SELECT count() FROM sessions WHERE referrer_domain = 'unmistakable.example'";
const query = (more: object = {}) => ({
  queryId: randomUUID(),
  analystId,
  channel: "console",
  format: "json",
  views: ["sessions"],
  outcome: "shown",
  problem: null,
  rowsRead: 12,
  resultBytes: 90,
  milliseconds: 4,
  text,
  parameters: { from: "2026-02-01" },
  ...more,
});
const record = (payload: object) =>
  app.inject({
    method: "POST",
    url: "/internal/analyst-queries",
    headers: { authorization: `Bearer ${internalToken}` },
    payload,
  });
function signedIn(...roles: [Role, ...Role[]]) {
  const [token, accountId] = [randomUUID(), randomUUID()];
  const session = { accountId, sessionId: randomUUID(), roles, factor: true };
  tokens.set(token, { ...session, authenticatedMs: start });
  const headers = { authorization: `Bearer ${token}` };
  const asOfficer = (method: "GET" | "POST", path = "") =>
    app.inject({ method, url: `/api/console/privacy/analyst-queries${path}`, headers });
  const get = (url: string, after: string | null) =>
    app.inject({ url, headers, query: after === null ? {} : { after } });
  return Object.assign(asOfficer, { accountId, get });
}
const officer = signedIn("holder", "officer");
const History = historyCalls["GET /api/console/analyst/work/history"].answer;
const List = z.object({ queries: z.array(ListedQuery), more: z.boolean() });
const codeOf = (answer: { json: <T>() => T }) => answer.json<{ code: string }>().code;

it("is a fact without its text, which an officer reads; the reading is a fact as well", async () => {
  const asked = query();
  expect((await record(asked)).json()).toEqual({ status: "recorded" });
  const { queries } = List.parse((await officer("GET", `?analystId=${analystId}`)).json());
  const { text: _, parameters, ...facts } = asked;
  expect(queries).toMatchObject([{ ...facts, ranAt: instantFromMs(start), isTextErased: false }]);
  const stored = await ledger.owner`
    select string_agg(data || meta || coalesce(sealed::text, ''), '') as text from ledger.event`;
  expect(JSON.stringify(stored)).not.toContain("unmistakable");
  const read = await officer("POST", `/${asked.queryId}/read`);
  expect(read.json()).toEqual({ text, parameters });
  const events = await ledger.owner<{ type: string }[]>`
    select type from ledger.event where stream = ${`analystquery-${asked.queryId}`} order by version`;
  expect(events.map(({ type }) => type)).toEqual(["AnalystQueryRun", "QueryTextRead"]);
});

it("counts for the hour in which it ran, of its analyst alone, with the rows that it read", async () => {
  const who = randomUUID();
  const used = async (of = who) =>
    (
      await app.inject({
        url: `/internal/analyst-queries/used/${of}`,
        headers: { authorization: `Bearer ${internalToken}` },
      })
    ).json<object>();
  await record(query({ analystId: who }));
  time.ms = start + 1000;
  await record(query({ analystId: who, outcome: "wrong", rowsRead: null }));
  expect(await used()).toEqual({ queries: 2, rowsRead: 12, firstAt: instantFromMs(start) });
  time.ms = start + 60 * 60 * 1000;
  expect(await used()).toEqual({ queries: 1, rowsRead: 0, firstAt: instantFromMs(start + 1000) });
  time.ms = start;
  expect(await used(randomUUID())).toEqual({ queries: 0, rowsRead: 0, firstAt: null });
});

it("is in its analyst's history, page by page, once, whatever is asked meanwhile", async () => {
  const analyst = signedIn("holder", "analyst");
  const ids: string[] = [];
  const ask = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const asked = query({ analystId: analyst.accountId, text: `SELECT ${at}` });
      ids.push(asked.queryId);
      await record(asked);
    }
  };
  const pageAfter = async (after: string | null) =>
    History.parse((await analyst.get("/api/console/analyst/work/history", after)).json());
  // As many at the same time as two pages and a half hold: their ids order them.
  await ask(125);
  const first = await pageAfter(null);
  time.ms = start + 1000;
  await ask(3);
  time.ms = start;
  const second = await pageAfter(first.next);
  const third = await pageAfter(second.next);
  const seen = [first, second, third].map(({ queries }) => queries.map(({ queryId }) => queryId));
  expect(seen.map(({ length }) => length)).toEqual([50, 50, 25]);
  expect(seen.flat().toSorted()).toEqual(ids.slice(0, 125).toSorted());
  expect(third.next).toBeNull();
  expect(first.queries[0]?.text).toMatch(/^SELECT \d+$/u);
  expect((await pageAfter(null)).queries.slice(0, 3).map(({ queryId }) => queryId)).toEqual(
    ids.slice(125).toSorted().toReversed(),
  );
  const unknown = await analyst.get("/api/console/analyst/work/history", "no place");
  expect(codeOf(unknown)).toBe("bad_request");
});

it("equal texts have equal hashes, which no one can compute without the key", async () => {
  const own = { analystId: randomUUID() };
  const [one, two, another] = [query(own), query(own), query({ ...own, text: "SELECT 1" })];
  for (const each of [one, two, another]) await record(each);
  const { queries } = List.parse((await officer("GET", `?analystId=${own.analystId}`)).json());
  const hashOf = ({ queryId }: { queryId: string }) =>
    queries.find((listed) => listed.queryId === queryId)?.textHash;
  expect(hashOf(one)).toBe(hashOf(two));
  expect(hashOf(one)).not.toBe(hashOf(another));
});

it("is recorded once under its id, by the services alone, and read by officers alone", async () => {
  const asked = query();
  await record(asked);
  expect(codeOf(await record({ ...asked, text: "SELECT 2" }))).toBe("query_id_used");
  const unauthorised = await app.inject({
    method: "POST",
    url: "/internal/analyst-queries",
    payload: query(),
  });
  expect(unauthorised.statusCode).toBe(401);
  for (const role of ["holder", "analyst", "administrator"] as const) {
    expect((await signedIn("holder", role)("GET")).statusCode).toBe(403);
  }
  expect(codeOf(await officer("POST", `/${randomUUID()}/read`))).toBe("query_unknown");
});

it("loses its text when its time is over; until then it is in the analyst's copy of their data", async () => {
  const who = randomUUID();
  const asked = query({ analystId: who });
  await record(asked);
  const context = { ...ledger, clock: () => time.ms };
  const held = () =>
    queriesHeld.collect(context, {
      accountId: who,
      at: instantFromMs(time.ms),
      email: async () => null,
    });
  expect(await held()).toMatchObject([[{ field: "request", text }, { field: "created-at" }]]);
  const now = instantPlusMonths(instantFromMs(start), 24);
  const mailer = {
    send: async () => undefined,
    reachable: async () => true,
    close: async () => undefined,
  };
  const worker = { ...context, mailer, stopping: new AbortController().signal };
  const timers = analystQueriesModule.timers(worker, {});
  const erase = timers["analyst-queries.erase-text"];
  await erase?.(asked.queryId, { now: instantFromMs(start), cause: testCause() });
  expect(await held()).toHaveLength(1);
  await erase?.(asked.queryId, { now, cause: testCause() });
  expect(await held()).toMatchObject([[{ field: "created-at" }]]);
  expect(codeOf(await officer("POST", `/${asked.queryId}/read`))).toBe("query_text_erased");
});
