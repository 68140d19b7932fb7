import { randomUUID } from "node:crypto";

import type { Role, SignedIn } from "@pro-talent/schemas/primitives/access";
import { ProcessingRecord } from "@pro-talent/schemas/privacy/processing-record";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";

import { buildTestApp } from "../../testing/build-test-app.ts";
import { createTestLedger, type TestLedger } from "../../testing/create-test-ledger.ts";

let ledger: TestLedger;
let app: FastifyInstance;
const sessions = new Map<string, SignedIn>();

beforeAll(async () => {
  ledger = await createTestLedger();
  app = await buildTestApp(ledger, {
    sessions: {
      ofToken: async (token) => sessions.get(token),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
  });
});
afterAll(async () => {
  await app.close();
  await ledger.drop();
});

async function readAs(...roles: readonly Role[]): Promise<LightMyRequestResponse> {
  const token = randomUUID();
  const ids = { accountId: randomUUID(), sessionId: randomUUID() };
  sessions.set(token, { ...ids, roles, factor: true, authenticatedMs: ledger.clock() });
  const headers = { authorization: `Bearer ${token}` };
  return await app.inject({ url: "/api/privacy/officer/processing-record", headers });
}

it("a privacy officer reads every activity with its purpose, people, retention and erasure", async () => {
  const { activities } = ProcessingRecord.parse((await readAs("holder", "officer")).json());
  const ids = activities.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["account", "newsletter", "invoices", "backup"]));
  const invoices = activities.find(({ id }) => id === "invoices");
  expect(invoices?.basis).toBe("legal-obligation");
  const documents = invoices?.assets.find(({ name }) => name === "ledger.issued_document");
  expect(documents).toMatchObject({
    retention: { clock: "document-issued", after: { count: 7, unit: "year" } },
    eraser: { by: "law", detail: "israel-bookkeeping" },
  });
});

it("others do not: neither holders nor administrators, and no one without a sign-in", async () => {
  expect((await readAs("holder")).statusCode).toBe(403);
  expect((await readAs("holder", "administrator")).statusCode).toBe(403);
  const url = "/api/privacy/officer/processing-record";
  expect((await app.inject({ url })).statusCode).toBe(401);
});
