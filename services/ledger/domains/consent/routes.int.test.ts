import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import {
  ConsentDecisionAnswer,
  type ConsentDecisionRequest,
  ConsentHistory,
  consentPaths,
  ConsentReceipt,
} from "@pro-talent/schemas/consent/calls";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { buildLedgerApp } from "../app.ts";
import {
  createTestLedger,
  type TestLedger,
  testSubjectKeys,
} from "../testing/create-test-ledger.ts";
import { receiptIdOf } from "./receipt-id.ts";
import { decision, englishNotice, newVisitor } from "./testing/decisions.ts";

let ledger: TestLedger;
let app: FastifyInstance;
const internalToken = "internal-token-of-the-tests-0123456789";
const log = createLogger({ service: "ledger", level: "silent" });
const clock = (): number => Date.UTC(2026, 0, 5);

beforeAll(async () => {
  ledger = await createTestLedger();
  app = await buildLedgerApp({ ...common(), receiptsPerMinute: 10_000 });
});
afterAll(async () => {
  await app.close();
  await ledger.drop();
});

const common = () => ({
  sql: ledger.sql,
  log,
  clock,
  internalToken,
  subjectKeys: testSubjectKeys,
  publicOrigin: "http://localhost:3000",
  formsPerMinute: 20,
});

async function decide(body: unknown, authorization = `Bearer ${internalToken}`, to = app) {
  return to.inject({
    method: "POST",
    url: consentPaths.decisions,
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const ask = (path: string, receiptId: string, from = app) =>
  from.inject({ method: "GET", url: `${path}/${receiptId}` });

/** The refusal of an answer, checked to be problem details and nothing else. */
function problemOf(response: { headers: Record<string, unknown>; body: string }) {
  expect(response.headers["content-type"]).toMatch(/^application\/problem\+json\b/);
  return Problem.strict().parse(JSON.parse(response.body));
}

describe("who may hand in a decision", () => {
  it.each([
    ["nobody without a token", ""],
    ["nobody with another token", "Bearer internal-token-of-the-tests-0123456788"],
    ["nobody with a longer token", `Bearer ${internalToken}x`],
    ["nobody with the token under another scheme", `Basic ${internalToken}`],
    ["nobody with the bare token", internalToken],
  ])("%s", async (_who, authorization) => {
    const before = await ledger.sql`select pos from ledger.head`;
    const response = await decide(decision(), authorization);
    expect(response.statusCode).toBe(401);
    expect(problemOf(response).code).toBe("unauthorized");
    expect(await ledger.sql`select pos from ledger.head`).toEqual(before);
  });

  it("another service with the token", async () => {
    expect((await decide(decision())).statusCode).toBe(200);
  });

  it("and nobody learns from a body whether it would fit before showing the token", async () => {
    const response = await decide("not a decision at all", "");
    expect(problemOf(response).code).toBe("unauthorized");
  });
});

describe("a decision that is handed in", () => {
  it("is answered with what is known now, and its receipt", async () => {
    const request = decision();
    const response = await decide(request);
    expect(ConsentDecisionAnswer.strict().parse(response.json())).toEqual({
      state: "granted",
      recorded: true,
      receiptId: receiptIdOf(request.commandId),
    });
  });

  it("is seen by the collector's gate before it is answered", async () => {
    const visitorId = newVisitor();
    const gate = async () => {
      const rows = await ledger.collector<{ granted: boolean }[]>`
        select granted from ledger.consent_gate where visitor_id = ${visitorId}`;
      return rows.map((row) => row.granted);
    };
    expect(await gate()).toEqual([]);
    await decide(decision({ visitorId }));
    expect(await gate()).toEqual([true]);
    await decide(decision({ visitorId, decision: "refuse", method: "gpc" }));
    expect(await gate()).toEqual([false]);
    await decide(decision({ visitorId }));
    expect(await gate()).toEqual([true]);
  });

  it("twice under one id is answered twice with the same bytes", async () => {
    const visitorId = newVisitor();
    const request = decision({ visitorId });
    const first = await decide(request);
    await decide(decision({ visitorId, decision: "refuse", method: "reject_all" }));
    const again = await decide(request);
    expect(again.statusCode).toBe(200);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
  });

  it("under the id of another one is refused", async () => {
    const request = decision();
    await decide(request);
    const response = await decide({ ...request, visitorId: newVisitor() });
    expect(response.statusCode).toBe(422);
    expect(problemOf(response).code).toBe("command_mismatch");
  });

  it("as a grant by a browser's signal is refused, naming the field", async () => {
    const response = await decide(decision({ method: "dnt" }));
    expect(response.statusCode).toBe(422);
    expect(problemOf(response)).toMatchObject({
      code: "invalid_body",
      errors: [{ pointer: "/method" }],
    });
  });

  const fields: [string, Partial<Record<keyof ConsentDecisionRequest, unknown>>][] = [
    ["commandId", { commandId: "1" }],
    ["visitorId", { visitorId: "visitor'; drop table ledger.event; --" }],
    ["purpose", { purpose: "advertising" }],
    ["decision", { decision: "maybe" }],
    ["method", { method: null }],
    ["notice", { notice: undefined }],
    ["notice/textHash", { notice: { ...englishNotice, textHash: "somebody@example.com" } }],
    ["notice/language", { notice: { ...englishNotice, language: "fr" } }],
  ];
  it.each(fields)(
    "with a wrong %s is refused, naming the field and repeating nothing",
    async (field, change) => {
      const response = await decide({ ...decision(), ...change });
      expect(response.statusCode).toBe(422);
      expect(problemOf(response)).toMatchObject({
        code: "invalid_body",
        errors: [{ pointer: `/${field}` }],
      });
      expect(response.body).not.toMatch(/drop table|somebody|advertising|maybe/);
    },
  );

  it.each([
    ["{", 400, "malformed_json"],
    ['{"__proto__":{}}', 400, "malformed_json"],
    ["[]", 422, "invalid_body"],
    ["null", 422, "invalid_body"],
    [`{"a":"${"x".repeat(70_000)}"}`, 413, "body_too_large"],
  ])("as %.20s is refused", async (payload, status, code) => {
    const response = await app.inject({
      method: "POST",
      url: consentPaths.decisions,
      headers: { authorization: `Bearer ${internalToken}`, "content-type": "application/json" },
      payload,
    });
    expect(response.statusCode).toBe(status);
    expect(problemOf(response).code).toBe(code);
  });
});

describe("a receipt", () => {
  it("can be asked for as soon as the decision is answered, and holds what was decided", async () => {
    const request = decision({ notice: { ...englishNotice, language: "he" } });
    await decide(request);
    const receiptId = receiptIdOf(request.commandId);
    const response = await ask(consentPaths.receipt, receiptId);
    expect(response.statusCode).toBe(200);
    expect(response.headers["cache-control"]).toBe("no-store");
    const receipt = ConsentReceipt.strict().parse(response.json());
    expect(receipt).toMatchObject({
      receiptId,
      decision: "granted",
      purpose: "analytics",
      method: "accept_all",
      notice: request.notice,
    });
    const [event] = await ledger.sql`
      select encode(hash, 'hex') as hash, recorded_at from ledger.event
       where pos = ${receipt.position} and stream = ${`consent-${request.visitorId}`}`;
    expect(event).toEqual({ hash: receipt.hash, recorded_at: new Date(receipt.recordedAt) });
  });

  it("does not name the visitor", async () => {
    const request = decision();
    await decide(request);
    const receiptId = receiptIdOf(request.commandId);
    for (const path of [consentPaths.receipt, consentPaths.history]) {
      const { body } = await ask(path, receiptId);
      expect(body).toContain(receiptId);
      expect(body).not.toContain(request.visitorId);
      expect(body).not.toContain(request.commandId);
    }
  });

  it("leads to all decisions of the same visitor, newest first, and of nobody else", async () => {
    const visitorId = newVisitor();
    const requests = [
      decision({ visitorId }),
      decision({ visitorId, decision: "refuse", method: "customise", notice: null }),
      decision({ visitorId, notice: { ...englishNotice, version: "2026-02-01" } }),
    ];
    for (const request of requests) {
      await decide(request);
      await decide(decision());
    }
    const expected = requests.map((request) => receiptIdOf(request.commandId)).toReversed();
    for (const receiptId of expected) {
      const response = await ask(consentPaths.history, receiptId);
      const { entries } = ConsentHistory.strict().parse(response.json());
      expect(entries.map((entry) => entry.receiptId)).toEqual(expected);
      expect(entries.map((entry) => entry.decision)).toEqual(["granted", "withdrawn", "granted"]);
    }
  });

  it.each(
    [consentPaths.receipt, consentPaths.history].flatMap((path) => [
      [path, randomUUID()] as const,
      [path, "not-an-id"] as const,
      [path, encodeURIComponent("' or 1=1 --")] as const,
      [path, "x".repeat(90)] as const,
    ]),
  )("%s/%s is not known", async (path, receiptId) => {
    const response = await ask(path, receiptId);
    expect(response.statusCode).toBe(404);
    expect(problemOf(response).code).toBe("not_found");
    expect(response.body).not.toContain(receiptId);
  });

  it("may not be asked for without end from one address", async () => {
    const limited = await buildLedgerApp({ ...common(), receiptsPerMinute: 5 });
    const answers = [];
    for (let index = 0; index < 7; index += 1) {
      answers.push(await ask(consentPaths.receipt, randomUUID(), limited));
    }
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404, 404, 429, 429]);
    const last = answers.at(-1);
    expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
    expect(last === undefined ? undefined : problemOf(last).code).toBe("rate_limited");
    expect((await decide(decision(), undefined, limited)).statusCode).toBe(200);
    await limited.close();
  });
});

describe("the service", () => {
  it("tells that it runs, that it is ready, and its numbers", async () => {
    await decide(decision());
    expect((await app.inject("/healthz")).statusCode).toBe(200);
    const ready = await app.inject("/readyz");
    expect([ready.statusCode, ready.json()]).toEqual([200, { ready: true, missing: [] }]);
    const { body } = await app.inject("/metrics");
    expect(body).toMatch(
      /ledger_append_events_total\{type="ConsentGranted",outcome="appended"\} [1-9]/,
    );
    expect(body).toMatch(/ledger_append_seconds_count\{outcome="appended"\} [1-9]/);
    expect(body).toMatch(/ledger_projection_lag_events\{projection="consent_history"\} \d+/);
  });

  it("without its database answers 503 problem details that tell nothing, and is not ready", async () => {
    const nowhere = openPool("postgres://ledger_app:secret-word@127.0.0.1:1/nowhere", {
      applicationName: "test",
    });
    const cutOff = await buildLedgerApp({ ...common(), sql: nowhere });
    for (const response of [
      await decide(decision(), undefined, cutOff),
      await ask(consentPaths.receipt, randomUUID(), cutOff),
      await ask(consentPaths.history, randomUUID(), cutOff),
    ]) {
      expect(response.statusCode).toBe(503);
      expect(response.headers["retry-after"]).toBe("1");
      expect(problemOf(response).code).toBe("ledger_unavailable");
      expect(response.body).not.toMatch(/secret-word|127\.0\.0\.1|ECONN|postgres/);
    }
    const ready = await cutOff.inject("/readyz");
    expect([ready.statusCode, ready.json()]).toMatchObject([503, { ready: false }]);
    expect(ready.body).toContain("postgres");
    await cutOff.close();
    await nowhere.end();
  });

  it("answers an unknown address as problem details", async () => {
    const response = await app.inject("/internal/consent/everything");
    expect(response.statusCode).toBe(404);
    expect(problemOf(response).code).toBe("not_found");
  });
});
