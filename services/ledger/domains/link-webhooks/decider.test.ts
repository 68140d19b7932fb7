import type { FirstOpen, WebhookEvent } from "@pro-talent/schemas/links/webhook-events";
import type { WebhookState } from "@pro-talent/schemas/links/webhook-state";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { type Outcome, type WebhookCommand, webhookDecider } from "./decider.ts";
import { nextAttempt } from "./webhook-state.decider.ts";
import { webhookEvents } from "./webhooks.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const start = instantFromMs(Date.UTC(2026, 2, 1, 9));
const given = specification(webhookDecider, start);

const accountId = "00000000-0000-4000-8000-0000000000aa";
const idOf = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;
const open = (last: number): FirstOpen => ({
  linkId: idOf(last),
  at: start,
  country: "IL",
  device: "mobile",
});
const created: WebhookEvent[] = [
  { type: "WebhookCreated", data: { accountId } },
  { type: "WebhookSecretIssued", data: { formerUntil: null } },
];
const requested = (last: number): WebhookEvent => ({
  type: "WebhookDeliveryRequested",
  data: { deliveryId: idOf(last), open: open(last) },
});
const testRequested: WebhookEvent = {
  type: "WebhookDeliveryRequested",
  data: { deliveryId: idOf(9), open: null },
};
const delivered = (last: number): WebhookEvent => ({
  type: "WebhookDelivered",
  data: { deliveryId: idOf(last), status: 204 },
});
const failed = (last: number, retryAt: Instant | null, status = 500): WebhookEvent => ({
  type: "WebhookAttemptFailed",
  data: { deliveryId: idOf(last), fault: "status", status, retryAt },
});
const replayed: WebhookEvent = {
  type: "WebhookReplayRequested",
  data: { deliveryId: idOf(1) },
};
const paused: WebhookEvent = { type: "WebhookPaused", data: { reason: "refused" } };
const erased: WebhookEvent = { type: "WebhookErased", data: { reason: "deleted" } };

const stateAfter = (events: readonly WebhookEvent[]): WebhookState =>
  events.reduce(
    (state, event) => webhookDecider.evolve(state, event, start),
    webhookDecider.initialState,
  );

const report = (...links: number[]): WebhookCommand => ({
  type: "ReportFirstOpens",
  opens: links.map((last) => ({ deliveryId: idOf(last), open: open(last) })),
});
const attempt = (last: number, outcome: Partial<Outcome> = {}): WebhookCommand => ({
  type: "RecordAttempt",
  deliveryId: idOf(last),
  outcome: { fault: "status", status: 500, ...outcome },
});
const replays: WebhookCommand = { type: "ReplayDelivery", deliveryId: idOf(1) };
const tests: WebhookCommand = { type: "RequestTest", deliveryId: idOf(9) };

describe("a webhook", () => {
  it("is added once, and unknown once it was deleted", () => {
    given([]).when({ type: "CreateWebhook", accountId }).then(created);
    given(created).when({ type: "CreateWebhook", accountId }).thenRefuses("webhook_not_found");
    given([...created, erased])
      .when(tests)
      .thenRefuses("webhook_not_found");
    given([...created, erased])
      .when({ type: "EraseWebhook", reason: "account-closed" })
      .thenNothingChanges();
  });

  it("keeps its former secret for a day after a new one", () => {
    given(created)
      .when({ type: "ReplaceSecret" })
      .then([
        { type: "WebhookSecretIssued", data: { formerUntil: instantPlus(start, 24 * hourMs) } },
      ]);
  });

  it("is sent the first open of each link once, however often it is reported", () => {
    given(created)
      .when(report(1, 2))
      .then([requested(1), requested(2)]);
    given([...created, requested(1), delivered(1)])
      .when(report(1, 2))
      .then([requested(2)]);
    given([...created, requested(1)])
      .when(report(1))
      .thenNothingChanges();
  });

  it("is tested once at a time, without a second attempt", () => {
    given(created).when(tests).then([testRequested]);
    given([...created, testRequested])
      .when(tests)
      .thenRefuses("test_waiting");
    given([...created, testRequested])
      .when(attempt(9))
      .then([failed(9, null)]);
  });
});

describe("a delivery", () => {
  it("that fails is tried again after a minute, then later each time", () => {
    const events = [...created, requested(1)];
    given(events)
      .when(attempt(1))
      .then([failed(1, instantPlus(start, minuteMs))]);
    given([...events, failed(1, start)])
      .when(attempt(1))
      .then([failed(1, instantPlus(start, 5 * minuteMs))]);
  });

  it("that was accepted, is not known, or no longer waits, changes nothing more", () => {
    given([...created, requested(1)])
      .when(attempt(1, { fault: null, status: 204 }))
      .then([delivered(1)]);
    given([...created, requested(1), delivered(1)])
      .when(attempt(1))
      .thenNothingChanges();
    given(created).when(attempt(1)).thenNothingChanges();
  });

  it("is replayed by its owner under the same id, also one that was delivered", () => {
    given([...created, requested(1), failed(1, null)])
      .when(replays)
      .then([replayed]);
    given([...created, requested(1), delivered(1)])
      .when(replays)
      .then([replayed]);
    given([...created, requested(1)])
      .when(replays)
      .thenNothingChanges();
    given(created).when(replays).thenRefuses("webhook_not_found");
    given([...created, requested(1), delivered(1), paused])
      .when(replays)
      .thenRefuses("webhook_paused");
  });
});

/** A webhook whose receiver answers like this from the start. @returns each state, with its time */
function live(answers: (at: Instant) => Outcome): { state: WebhookState; at: Instant }[] {
  const evolve = (state: WebhookState, events: readonly WebhookEvent[], at: Instant) =>
    events.reduce((before, event) => webhookDecider.evolve(before, event, at), state);
  let state = evolve(webhookDecider.initialState, [...created, requested(1)], start);
  const states = [{ state, at: start }];
  for (;;) {
    const at = state.status === "held" ? nextAttempt(state) : null;
    if (at === null) return states;
    const command = { type: "RecordAttempt", deliveryId: idOf(1), outcome: answers(at) } as const;
    const decision = webhookDecider.decide(command, state, { now: at });
    if ("kind" in decision) throw new Error(decision.code);
    state = evolve(state, decision, at);
    states.push({ state, at });
  }
}

describe("a receiver that fails", () => {
  it("is tried ten times in three days, then the message has failed and the webhook is paused", () => {
    const states = live(() => ({ fault: "timeout", status: null }));
    expect(states).toHaveLength(11);
    const [last] = states.slice(-1);
    expect(last?.at).toBe(instantPlus(start, 72 * hourMs));
    expect(last?.state).toMatchObject({
      paused: { reason: "failing", at: last?.at },
      deliveries: [{ status: "failed", attempts: 10, last: { fault: "timeout", status: null } }],
    });
  });

  it("and works again gets the message, and the webhook goes on", () => {
    const back = instantPlus(start, hourMs);
    const states = live((at) =>
      at < back ? { fault: "connection", status: null } : { fault: null, status: 200 },
    );
    expect(states.at(-1)?.state).toMatchObject({
      paused: null,
      failingSince: null,
      deliveries: [{ status: "delivered" }],
    });
  });

  it("and says that it is gone is not tried again", () => {
    given([...created, requested(1)])
      .when(attempt(1, { status: 410 }))
      .then([failed(1, null, 410), paused]);
  });

  it("is not paused for one message while others arrive", () => {
    const events = [...created, requested(1), requested(2), failed(1, start), delivered(2)];
    const exhausted = Array.from({ length: 9 }, () => failed(1, start));
    given([...events, ...exhausted])
      .when(attempt(1))
      .then([failed(1, null)]);
  });
});

describe("a paused webhook", () => {
  const events = [...created, requested(1), paused];

  it("keeps what waits, and sends it when its owner resumes it", () => {
    given(events).when(tests).thenRefuses("webhook_paused");
    given(events)
      .when({ type: "ResumeWebhook" })
      .then([{ type: "WebhookResumed", data: {} }]);
    given(created).when({ type: "ResumeWebhook" }).thenNothingChanges();
    const [before, after] = [
      stateAfter(events),
      stateAfter([...events, { type: "WebhookResumed", data: {} }]),
    ];
    expect(before.status === "held" && nextAttempt(before)).toBeNull();
    expect(after.status === "held" && nextAttempt(after)).toBe(start);
  });
});

it("each attempt moves the time of the next, so that none is forgotten", () => {
  const state = stateAfter([...created, requested(1), requested(2), delivered(1)]);
  expect(state.status === "held" && nextAttempt(state)).toBe(instantPlus(start, 1));
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  // A replay changes a delivery that has ended: the third event of a webhook at the earliest.
  const replay = "webhook-replay-requested.v1.json";
  expect(ignoredFixtures(fixtures, webhookEvents, webhookDecider)).toEqual([replay]);
  const [sent, again] = [
    [...created, requested(1), delivered(1)],
    [...created, requested(1), delivered(1), replayed],
  ].map(stateAfter);
  expect(sent?.status === "held" && nextAttempt(sent)).toBeNull();
  expect(again?.status === "held" && nextAttempt(again)).not.toBeNull();
});
