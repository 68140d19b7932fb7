import type { DeliveryPlan } from "@pro-talent/schemas/analysts/saved-work";
import { daysBefore, nextDue } from "@pro-talent/schemas/analysts/schedule";
import type { DeliveryEvent } from "@pro-talent/schemas/analysts/work-events";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { localTimeIn } from "@pro-talent/schemas/primitives/local-time";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { stateAfter } from "../../../kernel/streams.ts";
import { ignoredFixtures } from "../../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../../kernel/testing/given.ts";
import { type DeliveryCommand, deliveryDecider } from "./decider.ts";
import { deliveries, deliveryEvents } from "./deliveries.ts";

const ownerId = "1c8d5a8f-0b62-4b70-9e3f-4b206dafae21";
/** A Sunday. */
const start = instantFromMs(Date.UTC(2026, 2, 1, 8));
const zone = "Asia/Jerusalem";
const plan: DeliveryPlan = {
  of: { kind: "query", workId: "00000000-0000-4000-8000-000000000008" },
  schedule: { every: "day", time: "09:00", zone },
  lastDays: 1,
};
const planned: DeliveryEvent = { type: "DeliveryPlanned", data: { ...plan, ownerId } };
const due = (run: number): DeliveryEvent => ({ type: "DeliveryCameDue", data: { run } });
const ended = (run: number): DeliveryEvent => ({
  type: "DeliveryEnded",
  data: { run, outcome: "sent" },
});
const paused = (reason: "by-owner" | "role-lost"): DeliveryEvent => ({
  type: "DeliveryPaused",
  data: { reason },
});

/** 10:00 in Jerusalem is past 09:00: the next one is a day later, at 07:00 UTC. */
const firstDue = "2026-03-02T07:00:00.000Z";
const stateOf = (...events: (readonly [DeliveryEvent, Instant])[]) =>
  stateAfter(
    deliveryDecider,
    events.map(([event, occurredAt]) => ({ event, stream: "", id: ownerId, occurredAt })),
  );
const decide = (command: DeliveryCommand, state: ReturnType<typeof stateOf>, now: Instant) =>
  deliveryDecider.decide(command, state, { now });
const timers = (state: ReturnType<typeof stateOf>) => deliveries.timers?.(state, { id: ownerId });

describe("a delivery", () => {
  it("is due at its time and not before, whatever a clock shows meanwhile", () => {
    const state = stateOf([planned, start]);
    expect(timers(state)).toEqual([{ name: "analyst-work.deliver", dueAt: firstDue }]);
    const now = instantFromMs(Date.parse(firstDue));
    expect(decide({ type: "RecordDue" }, state, instantPlus(now, -1))).toEqual([]);
    expect(decide({ type: "RecordDue" }, state, now)).toEqual([due(1)]);
    const after = stateOf([planned, start], [due(1), now]);
    expect(decide({ type: "RecordDue" }, after, now)).toEqual([]);
    expect(timers(after)).toMatchObject([{ dueAt: "2026-03-03T07:00:00.000Z" }]);
  });

  it("is due once for all times that were missed", () => {
    const late = instantPlus(start, 5 * 24 * 60 * 60_000);
    const after = stateOf([planned, start], [due(1), late]);
    expect(timers(after)).toMatchObject([{ dueAt: "2026-03-07T07:00:00.000Z" }]);
  });

  const given = specification(deliveryDecider, start);
  it("ends each run once", () => {
    const ends = (run: number) => ({ type: "EndRun", run, outcome: "sent" }) as const;
    given([planned, due(1)])
      .when(ends(1))
      .then([ended(1)]);
    given([planned, due(1), ended(1)])
      .when(ends(1))
      .thenNothingChanges();
    given([planned, due(1), due(2)])
      .when(ends(1))
      .thenNothingChanges();
    const loses = { type: "EndRun", run: 1, outcome: { paused: "role-lost" } } as const;
    given([planned, due(1)])
      .when(loses)
      .then([paused("role-lost"), { type: "DeliveryEnded", data: { run: 1, outcome: "paused" } }]);
  });

  it("waits while it is paused, and goes on at the next time", () => {
    given([planned])
      .when({ type: "PauseDelivery", ownerId })
      .then([paused("by-owner")]);
    expect(timers(stateOf([planned, start], [paused("by-owner"), start]))).toEqual([]);
    const resumed: DeliveryEvent = { type: "DeliveryResumed", data: {} };
    given([planned, paused("role-lost")])
      .when({ type: "ResumeDelivery", ownerId })
      .then([resumed]);
    const again = stateOf([planned, start], [paused("by-owner"), start], [resumed, start]);
    expect(timers(again)).toMatchObject([{ dueAt: firstDue }]);
  });

  it("is sent at once when its owner wants it, but not again within minutes", () => {
    const sends = { type: "SendNow", ownerId } as const;
    given([planned])
      .when(sends)
      .then([due(1)]);
    given([planned, due(1)])
      .when(sends)
      .thenRefuses("delivery_sent_lately");
    // Its own time stays.
    expect(timers(stateOf([planned, start], [due(1), start]))).toMatchObject([{ dueAt: firstDue }]);
  });

  it("is its owner's alone", () => {
    const other = "2c8d5a8f-0b62-4b70-9e3f-4b206dafae22";
    for (const type of ["PauseDelivery", "ResumeDelivery", "SendNow", "RemoveDelivery"] as const) {
      given([planned]).when({ type, ownerId: other }).thenRefuses("delivery_not_found");
    }
    given([planned])
      .when({ type: "RemoveDelivery", ownerId })
      .then([{ type: "DeliveryRemoved", data: {} }]);
  });
});

it("a schedule has one time on each of its days, in every zone, also when clocks are changed", () => {
  const zones = fc.constantFrom("Asia/Jerusalem", "America/New_York", "Pacific/Apia", "UTC");
  const times = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
  const schedules = fc.oneof(
    fc.record({ every: fc.constant("day" as const), time: times, zone: zones }),
    fc.record({
      every: fc.constant("week" as const),
      weekday: fc.integer({ min: 1, max: 7 }),
      time: times,
      zone: zones,
    }),
    fc.record({
      every: fc.constant("month" as const),
      day: fc.integer({ min: 1, max: 31 }),
      time: times,
      zone: zones,
    }),
  );
  const from = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2029, 0, 1) });
  fc.assert(
    fc.property(schedules, from, (schedule, ms) => {
      const dueAt = nextDue(schedule, instantFromMs(ms));
      const then = nextDue(schedule, dueAt);
      const dayOf = (at: Instant) => localTimeIn(at, schedule.zone).slice(0, 10);
      expect(dueAt > instantFromMs(ms)).toBe(true);
      expect(dayOf(then) > dayOf(dueAt)).toBe(true);
      const weekday = new Date(dayOf(dueAt)).getUTCDay();
      expect(schedule.every === "week" ? schedule.weekday % 7 : weekday).toBe(weekday);
    }),
    { numRuns: 1000 },
  );
});

it("is about the days until the day before", () => {
  expect(daysBefore(start, 7)).toEqual({ from: "2026-02-22", to: "2026-02-28" });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, deliveryEvents, deliveryDecider)).toEqual([]);
});
