import { isDeepStrictEqual } from "node:util";

import type { ConsentDecisionRequest } from "@pro-talent/schemas/consent/calls";
import type { ConsentEvent, ConsentState } from "@pro-talent/schemas/consent/events";
import type { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { catchUp, followerOf } from "../../kernel/follow.ts";
import { rebuildReadModel } from "../../kernel/rebuild.ts";
import { loadStream } from "../../kernel/streams.ts";
import { modules } from "../../modules.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import { definitionsOf } from "../../verifier/definitions.ts";
import { verifyLedger } from "../../verifier/verify.ts";
import { decideConsent } from "./decide-consent.ts";
import { consentDecider, stateOf } from "./decider.ts";
import { consent } from "./module.ts";
import { consentEvents } from "./read-models.ts";
import { decision, newVisitor } from "./testing/decisions.ts";

let ledger: TestLedger;

function decide(request: ConsentDecisionRequest) {
  const cause = testCause("service:collector");
  return decideConsent(ledger.ledger, request, { now: instantFromMs(0), cause });
}

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

const notices = ["1", "2"].flatMap((version) =>
  (["en", "he"] as const).map((language) => ({ version, language, textHash: "c".repeat(64) })),
);

/** What three visitors do, in any order; some commands are repeated. */
const history = fc.array(
  fc.record({
    visitor: fc.integer({ min: 0, max: 2 }),
    decision: fc.constantFrom("grant" as const, "refuse" as const),
    method: fc.constantFrom("accept_all" as const, "customise" as const, "gpc" as const),
    notice: fc.option(fc.constantFrom(...notices)),
    repeated: fc.boolean(),
  }),
  { maxLength: 14 },
);

/** The rules again, without events: the gate after all decisions. */
function expectedGate(requests: readonly ConsentDecisionRequest[]): Map<string, boolean> {
  const gate = new Map<string, boolean>();
  for (const { visitorId, decision: wanted, method } of requests) {
    if (wanted === "grant" && method !== "gpc") gate.set(visitorId, true);
    if (wanted === "refuse" && gate.has(visitorId)) gate.set(visitorId, false);
  }
  return gate;
}

describe("any history of decisions", () => {
  it("keeps the rules, and replaying it gives the rows that were written step by step", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const visitors = [0, 1, 2].map(newVisitor);
        const requests = steps.map(({ visitor, decision: wanted, method, notice }) =>
          decision({
            decision: wanted,
            method,
            notice,
            visitorId: visitors[visitor] ?? newVisitor(),
          }),
        );
        for (const [index, request] of requests.entries()) {
          const result = await decide(request);
          if (steps[index]?.repeated !== true) continue;
          const again = await decide(request);
          const recorded = result.kind === "answer" && result.how === "recorded";
          expect(again).toEqual(recorded ? { ...result, how: "replayed" } : result);
        }
        await expectGate(visitors, expectedGate(requests));
        for (const visitorId of visitors) await expectRulesKept(visitorId);
      }),
      { numRuns: 40 },
    );
    await expectReplayEqualsLive();
  });
});

async function expectGate(visitors: readonly string[], gate: Map<string, boolean>): Promise<void> {
  const rows = await ledger.collector<{ visitor_id: string; granted: boolean }[]>`
    select visitor_id, granted from ledger.consent_gate where visitor_id = any (${visitors}::uuid[])`;
  expect(new Map(rows.map((row) => [row.visitor_id, row.granted]))).toEqual(gate);
}

/** A withdrawal follows a grant; a grant follows nothing, a withdrawal, or another text. */
async function expectRulesKept(visitorId: VisitorId): Promise<void> {
  const stream = consentEvents.streamOf(visitorId);
  const { events, version } = await loadStream(ledger.sql, consentEvents, stream);
  expect(version).toBe(events.length);
  let state = consentDecider.initialState;
  for (const [index, { event, occurredAt, version: place }] of events.entries()) {
    const before = stateOf(state, "analytics");
    expect(place).toBe(index + 1);
    expect(mayFollow(before, event)).toBe(true);
    state = consentDecider.evolve(state, event, occurredAt);
    expect(stateOf(state, "analytics")).toMatchObject({ receiptId: event.data.receiptId });
  }
}

function mayFollow(before: ConsentState, event: ConsentEvent): boolean {
  if (event.type === "ConsentWithdrawn") return before.status === "granted";
  return before.status !== "granted" || !isDeepStrictEqual(before.notice, event.data.notice);
}

async function expectReplayEqualsLive(): Promise<void> {
  for (const model of consent.readModels) {
    if (model.mode === "following") await catchUp(followerOf(ledger.sql, model));
    const result = await rebuildReadModel(ledger.owner, model, { accept: false });
    expect(result.equal).toBe(true);
    expect(result.live?.rows).toBeGreaterThan(0);
  }
  expect(
    (await verifyLedger(ledger.owner, { definitions: definitionsOf(modules) })).findings,
  ).toEqual([]);
}
