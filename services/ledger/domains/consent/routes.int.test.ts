import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
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

import { Cause } from "../../kernel/types.ts";
import { buildTestApp, internalToken } from "../../testing/build-test-app.ts";
import { createTestLedger, type TestLedger } from "../../testing/create-test-ledger.ts";
import { decision, englishNotice, newVisitor } from "./testing/decisions.ts";

let ledger: TestLedger;
let app: FastifyInstance;

beforeAll(async () => {
  ledger = await createTestLedger();
  app = await buildTestApp(ledger);
});
afterAll(async () => {
  await app.close();
  await ledger.drop();
});

const sendDecision = (payload: string, authorization = `Bearer ${internalToken}`, to = app) =>
  to.inject({
    method: "POST",
    url: consentPaths.decisions,
    headers: { authorization, "content-type": "application/json" },
    payload,
  });

const decide = (body: unknown, authorization?: string, to = app) =>
  sendDecision(JSON.stringify(body), authorization, to);

/** Hands in a decision. @returns the receipt that it is answered with */
async function receiptOf(request: ConsentDecisionRequest): Promise<string> {
  const { receiptId } = ConsentDecisionAnswer.strict().parse((await decide(request)).json());
  if (receiptId === null) throw new Error("The decision has no receipt");
  return receiptId;
}

const read = (path: string, receiptId: string, from = app) =>
  from.inject({ method: "GET", url: `${path}/${receiptId}` });

/** The refusal of an answer, checked to be problem details and nothing else. */
function problemOf(response: { headers: Record<string, unknown>; body: string }) {
  expect(response.headers["content-type"]).toMatch(/^application\/problem\+json\b/);
  return Problem.strict().parse(JSON.parse(response.body));
}

describe("who may hand in a decision", () => {
  it.each([
    ["no token", ""],
    ["another token", "Bearer internal-token-of-the-tests-0123456788"],
    ["a longer token", `Bearer ${internalToken}x`],
    ["the token under another scheme", `Basic ${internalToken}`],
    ["the bare token", internalToken],
  ])("with %s: no caller, but a service with the token", async (_what, authorization) => {
    const before = await ledger.sql`select pos from ledger.head`;
    const response = await decide(decision(), authorization);
    expect([response.statusCode, problemOf(response).code]).toEqual([401, "unauthorized"]);
    expect(await ledger.sql`select pos from ledger.head`).toEqual(before);
    expect((await decide(decision())).statusCode).toBe(200);
  });

  it("learns nothing about the body before it shows the token", async () => {
    expect(problemOf(await decide("not a decision", "")).code).toBe("unauthorized");
  });
});

describe("a decision that is handed in", () => {
  it("is answered with the consent as it is now, and its receipt", async () => {
    const response = await decide(decision());
    expect(ConsentDecisionAnswer.strict().parse(response.json())).toEqual({
      state: "granted",
      recorded: true,
      receiptId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/),
    });
  });

  it("changes the collector's gate before it is answered", async () => {
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
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
  });

  it("is recorded with the collector as its actor, and nothing about the visitor", async () => {
    const visitorId = newVisitor();
    await decide(decision({ visitorId }));
    const [event] = await ledger.sql<{ meta: string }[]>`
      select meta from ledger.event where stream = ${`consent-${visitorId}`}`;
    const cause = Cause.strict().parse(JSON.parse(event?.meta ?? ""));
    expect(cause.actor).toBe("service:collector");
    expect(cause.correlationId).toBe(cause.causationId);
  });

  it("under the id of another decision is refused", async () => {
    const request = decision();
    await decide(request);
    const response = await decide({ ...request, visitorId: newVisitor() });
    expect([response.statusCode, problemOf(response).code]).toEqual([422, "command_mismatch"]);
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
    ["notice/textHash", { notice: { ...englishNotice, textHash: "noa@example.com" } }],
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
      expect(response.body).not.toMatch(/drop table|noa@|advertising|maybe/);
    },
  );

  it.each([
    ["{", 400, "malformed_json"],
    ['{"__proto__":{}}', 400, "malformed_json"],
    ["[]", 422, "invalid_body"],
    ["null", 422, "invalid_body"],
    [`{"a":"${"x".repeat(70_000)}"}`, 413, "body_too_large"],
  ])("as %.20s is refused", async (payload, status, code) => {
    const response = await sendDecision(payload);
    expect([response.statusCode, problemOf(response).code]).toEqual([status, code]);
  });
});

describe("a receipt", () => {
  it("can be read as soon as the decision is answered, and holds what was decided", async () => {
    const request = decision({ notice: { ...englishNotice, language: "he" } });
    const receiptId = await receiptOf(request);
    const response = await read(consentPaths.receipt, receiptId);
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
    const receiptId = await receiptOf(request);
    for (const path of [consentPaths.receipt, consentPaths.history]) {
      const { body } = await read(path, receiptId);
      expect(body).toContain(receiptId);
      expect(body).not.toContain(request.visitorId);
      expect(body).not.toContain(request.commandId);
    }
  });

  it("leads to all decisions of the same visitor, newest first, and of no other visitor", async () => {
    const visitorId = newVisitor();
    const requests = [
      decision({ visitorId }),
      decision({ visitorId, decision: "refuse", method: "customise", notice: null }),
      decision({ visitorId, notice: { ...englishNotice, version: "2026-02-01" } }),
    ];
    const expected: string[] = [];
    for (const request of requests) {
      expected.unshift(await receiptOf(request));
      await decide(decision());
    }
    for (const receiptId of expected) {
      const response = await read(consentPaths.history, receiptId);
      const { entries } = ConsentHistory.strict().parse(response.json());
      expect(entries.map((entry) => entry.receiptId)).toEqual(expected);
      expect(entries.map((entry) => entry.decision)).toEqual(["granted", "withdrawn", "granted"]);
    }
  });

  it.each([randomUUID(), "not-an-id", encodeURIComponent("' or 1=1 --"), "x".repeat(90)])(
    "%s is unknown",
    async (receiptId) => {
      for (const path of [consentPaths.receipt, consentPaths.history]) {
        const response = await read(path, receiptId);
        expect([response.statusCode, problemOf(response).code]).toEqual([404, "not_found"]);
        expect(response.body).not.toContain(receiptId);
      }
    },
  );

  it("is refused to an address that requests too many in a minute", async () => {
    const limited = await buildTestApp(ledger, { environment: { RECEIPTS_PER_MINUTE: "5" } });
    const answers = [];
    for (let index = 0; index < 7; index += 1) {
      answers.push(await read(consentPaths.receipt, randomUUID(), limited));
    }
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404, 404, 429, 429]);
    const refused = await read(consentPaths.receipt, randomUUID(), limited);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(problemOf(refused).code).toBe("rate_limited");
    expect((await decide(decision(), undefined, limited)).statusCode).toBe(200);
    await limited.close();
  });
});

describe("the service", () => {
  it("reports that it runs, that it is ready, and its metrics", async () => {
    await decide(decision());
    expect((await app.inject("/healthz")).statusCode).toBe(200);
    const ready = await app.inject("/readyz");
    expect([ready.statusCode, ready.json()]).toEqual([200, { ready: true, missing: [] }]);
    const { body } = await app.inject("/metrics");
    expect(body).toMatch(
      /ledger_append_events_total\{type="ConsentGranted",outcome="appended"\} [1-9]/,
    );
    expect(body).toMatch(/ledger_append_seconds_count\{outcome="appended"\} [1-9]/);
    expect(body).toMatch(/ledger_follower_lag_events\{follower="consent_receipt"\} \d+/);
  });

  it("without its database answers 503 problem details without internals, and is not ready", async () => {
    const nowhere = openPool("postgres://ledger_app:secret-word@127.0.0.1:1/nowhere", {
      applicationName: "test",
    });
    const cutOff = await buildTestApp(ledger, { sql: nowhere });
    for (const response of [
      await decide(decision(), undefined, cutOff),
      await read(consentPaths.receipt, randomUUID(), cutOff),
      await read(consentPaths.history, randomUUID(), cutOff),
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
    expect([response.statusCode, problemOf(response).code]).toEqual([404, "not_found"]);
  });
});
