import { randomUUID } from "node:crypto";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { ListedQuery } from "@pro-talent/schemas/analysts/audit-calls";
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
  const token = randomUUID();
  const session = { accountId: randomUUID(), sessionId: randomUUID(), roles, factor: true };
  tokens.set(token, { ...session, authenticatedMs: start });
  return (method: "GET" | "POST", path = "") =>
    app.inject({
      method,
      url: `/api/console/privacy/analyst-queries${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
}
const officer = signedIn("holder", "officer");
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

it("equal texts have equal hashes, which no one can compute without the key", async () => {
  const [one, two, another] = [query(), query(), query({ text: "SELECT 1" })];
  for (const each of [one, two, another]) await record(each);
  const { queries } = List.parse((await officer("GET")).json());
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
