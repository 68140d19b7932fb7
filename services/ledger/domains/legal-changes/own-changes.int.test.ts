import { randomUUID } from "node:crypto";

import { legalChangeCalls } from "@pro-talent/schemas/legal-changes/calls";
import { dayPlus } from "@pro-talent/schemas/primitives/calendar";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";

import { buildTestApp } from "../../testing/build-test-app.ts";
import { type LegalChangesService, openLegalChanges } from "../../testing/open-legal-changes.ts";

let legal: LegalChangesService;
let app: FastifyInstance;
beforeAll(async () => {
  legal = await openLegalChanges(Date.now());
  app = await buildTestApp(legal.ledger, {
    clock: legal.worker.clock,
    modules: [legal.module],
    sessions: {
      // The token is the account.
      ofToken: async (accountId) => ({
        accountId,
        sessionId: randomUUID(),
        roles: ["holder"],
        factor: true,
        authenticatedMs: legal.worker.clock(),
      }),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
  });
});
afterAll(async () => {
  await app.close();
  await legal.ledger.drop();
});

const path = "/api/privacy/legal-changes";
const headersOf = (accountId: string) => ({ authorization: `Bearer ${accountId}` });
async function changesOf(accountId: string) {
  const answer = await app.inject({ url: path, headers: headersOf(accountId) });
  return legalChangeCalls["GET /api/privacy/legal-changes"].answer.parse(answer.json()).changes;
}
const acknowledge = (accountId: string, changeId: string) =>
  app.inject({
    method: "POST",
    url: `${path}/${changeId}/acknowledgement`,
    headers: headersOf(accountId),
    payload: {},
  });

it("a holder sees what changes, which version applies to them, and when the new one does", async () => {
  const accountId = await legal.account("2026-11-22");
  const { changeId, day } = await legal.announce(31);
  await legal.pass(5);
  expect(await changesOf(accountId)).toMatchObject([
    {
      changeId,
      document: "terms",
      version: day,
      summary: { en: "Refunds take 10 days." },
      appliesNow: "2026-11-22",
      effectiveOn: day,
      acknowledged: false,
    },
  ]);
  await legal.pass(30);
  expect(await changesOf(accountId)).toMatchObject([{ appliesNow: day, effectiveOn: day }]);
  expect(await changesOf(await legal.account("2099-01-01"))).toEqual([]);
});

it("that the holder has read it is recorded once, and counts as notice where no mail arrived", async () => {
  const accountId = await legal.account();
  legal.refusing.add(`${accountId}@example.com`);
  const { changeId, day } = await legal.announce(31);
  await legal.pass(10);
  const before = (await changesOf(accountId)).find((change) => change.changeId === changeId);
  expect(before).toMatchObject({ effectiveOn: null, acknowledged: false });
  expect((await acknowledge(accountId, changeId)).json()).toEqual({ status: "recorded" });
  expect((await acknowledge(accountId, changeId)).statusCode).toBe(200);
  const after = (await changesOf(accountId)).find((change) => change.changeId === changeId);
  expect(after).toMatchObject({ effectiveOn: dayPlus(day, 9), acknowledged: true });
  const [{ count } = { count: 0 }] = await legal.ledger.owner<{ count: number }[]>`
    select count(*)::int as count from ledger.event where type = 'ChangeAcknowledged'`;
  expect(count).toBe(1);
});

it("a change that was not announced to the account cannot be acknowledged", async () => {
  const [accountId, other] = [await legal.account("2099-01-01"), await legal.account()];
  const { changeId } = await legal.announce(31);
  await legal.pass(1);
  expect((await acknowledge(accountId, changeId)).statusCode).toBe(404);
  expect((await acknowledge(other, randomUUID())).statusCode).toBe(404);
  expect((await app.inject({ url: path })).statusCode).toBe(401);
});
