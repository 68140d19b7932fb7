import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import type { SubscriberState } from "@pro-talent/schemas/newsletter/subscriber-state";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { type NewsletterCommand, newsletterDecider } from "./decider.ts";
import { evolve } from "./subscriber-state.decider.ts";
import { mailDeliveredTimer, subscribers } from "./subscribers.ts";
import {
  accepted,
  accepts,
  bounced,
  bounceWithdrawn,
  confirmed,
  delivered,
  erasedDeparted,
  hourMs,
  recordsDelivery,
  requested,
  softBounced,
  start,
  unsubscribed,
  withdrawsBounce,
} from "./testing/histories.ts";

type At = readonly [hours: number, event: NewsletterEvent];

const hoursOn = (hours: number) => instantPlus(start, hours * hourMs);
const stateAfter = (history: readonly At[]): SubscriberState =>
  history.reduce<SubscriberState>(
    (state, [hours, event]) => evolve(state, event, hoursOn(hours)),
    newsletterDecider.initialState,
  );
const decide = (history: readonly At[], hours: number, command: NewsletterCommand) =>
  newsletterDecider.decide(command, stateAfter(history), { now: hoursOn(hours) });
/** When the timer of a delivery is due, in hours. */
const due = (history: readonly At[]): number | undefined => {
  const all = subscribers.timers?.(stateAfter(history), { id: "a" }) ?? [];
  const timer = all.find(({ name }) => name === mailDeliveredTimer);
  return timer && (Date.parse(timer.dueAt) - Date.parse(start)) / hourMs;
};

const subscriber: readonly At[] = [
  [0, requested()],
  [0, accepted("confirm-1")],
];

describe("a mail that was accepted", () => {
  it("is recorded once", () => {
    expect(decide([[0, requested()]], 0, accepts("confirm-1"))).toEqual([accepted("confirm-1")]);
    expect(decide(subscriber, 1, accepts("confirm-1"))).toEqual([]);
    expect(decide([], 0, accepts("confirm-1"))).toEqual([]);
  });

  it("is delivered when no bounce came back for two days", () => {
    expect(due(subscriber)).toBe(48);
    expect(decide(subscriber, 47, recordsDelivery)).toEqual([]);
    expect(decide(subscriber, 48, recordsDelivery)).toEqual([delivered("confirm-1")]);
    expect(due([...subscriber, [48, delivered("confirm-1")]])).toBeUndefined();
  });

  it("has a time of its own, each mail for itself", () => {
    const two: readonly At[] = [...subscriber, [10, accepted("confirm-2")]];
    expect(due(two)).toBe(48);
    expect(decide(two, 50, recordsDelivery)).toEqual([delivered("confirm-1")]);
    expect(due([...two, [50, delivered("confirm-1")]])).toBe(58);
    expect(decide(two, 60, recordsDelivery)).toEqual([
      delivered("confirm-1"),
      delivered("confirm-2"),
    ]);
  });

  it("is not delivered after a permanent bounce, also one that is withdrawn", () => {
    const lost: readonly At[] = [...subscriber, [20, bounced]];
    expect(due(lost)).toBeUndefined();
    expect(decide(lost, 60, recordsDelivery)).toEqual([]);
    expect(decide([...lost, [30, bounceWithdrawn("pending")]], 60, recordsDelivery)).toEqual([]);
  });

  it("is delivered after a temporary bounce, and ends the row of those", () => {
    const delayed: readonly At[] = [...subscriber, [20, softBounced]];
    expect(decide(delayed, 60, recordsDelivery)).toEqual([delivered("confirm-1")]);
    const state = stateAfter([...delayed, [30, accepted("welcome-1")]]);
    expect(state).toMatchObject({ softBounces: 0 });
  });

  it("has no timer once the subscriber was erased", () => {
    expect(due([...subscriber, [1, unsubscribed], [1, erasedDeparted]])).toBeUndefined();
  });
});

describe("a permanent bounce that was wrong", () => {
  const unreachable: readonly At[] = [
    [0, requested()],
    [1, confirmed],
    [2, bounced],
  ];

  it("is withdrawn by an operator: the subscriber is what it was before", () => {
    expect(decide(unreachable, 3, withdrawsBounce)).toEqual([bounceWithdrawn("confirmed")]);
    expect(
      decide(
        [
          [0, requested()],
          [2, bounced],
        ],
        3,
        withdrawsBounce,
      ),
    ).toEqual([bounceWithdrawn("pending")]);
    const again: readonly At[] = [...unreachable, [3, bounceWithdrawn("confirmed")]];
    expect(stateAfter(again)).toMatchObject({ status: "confirmed", endedAt: null });
    const erasing = subscribers.timers?.(stateAfter(again), { id: "a" });
    expect(erasing).toEqual([]);
  });

  it("is withdrawn when a later mail is accepted", () => {
    expect(decide(unreachable, 3, accepts("welcome-1"))).toEqual([
      accepted("welcome-1"),
      bounceWithdrawn("confirmed"),
    ]);
  });

  it.each([
    ["no bounce", subscriber],
    [
      "a subscriber who left",
      [
        [0, requested()],
        [1, unsubscribed],
      ],
    ],
    ["an erased one", [...unreachable, [9, erasedDeparted]]],
  ] as const satisfies readonly (readonly [string, readonly At[]])[])(
    "is nothing to withdraw for %s",
    (_what, history) => expect(decide(history, 10, withdrawsBounce)).toEqual([]),
  );
});
