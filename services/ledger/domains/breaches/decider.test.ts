import { join } from "node:path";

import type { BreachEvent, BreachFacts } from "@pro-talent/schemas/breaches/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { stateAfter } from "../../kernel/streams.ts";
import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { breachEvents, breaches } from "./breaches.ts";
import { breachDecider } from "./decider.ts";

const hourMs = 60 * 60_000;
const discovered = Date.UTC(2026, 2, 1, 8);
const after = (hours: number) => instantFromMs(discovered + hours * hourMs);
const officerId = "1c8d5a8f-0b62-4b70-9e3f-4b206dafae21";
const facts: BreachFacts = {
  discoveredAt: after(0),
  people: 120,
  records: 300,
  dataCategories: ["contact"],
  peopleCategories: ["account-holders"],
  stores: ["postgres accounts.account"],
};
const recorded: BreachEvent = { type: "BreachRecorded", data: { officerId, ...facts } };
const decided = (type: "AuthorityDecided" | "SubjectsDecided", notify: boolean): BreachEvent => ({
  type,
  data: { officerId, notify },
});
const sent: BreachEvent = {
  type: "AuthorityNotified",
  data: { officerId, notifiedAt: after(40) },
};
const act = (version: number) => ({ officerId, version });
const given = specification(breachDecider, after(50));

describe("a breach", () => {
  it("is recorded once, not before it was discovered", () => {
    given([]).when({ type: "RecordBreach", officerId, facts }).then([recorded]);
    given([recorded]).when({ type: "RecordBreach", officerId, facts }).thenNothingChanges();
    const later = { ...facts, discoveredAt: after(51) };
    given([])
      .when({ type: "RecordBreach", officerId, facts: later })
      .thenRefuses("discovered_later");
  });

  it("is corrected by a new fact, on what the officer saw", () => {
    const more = { ...facts, people: 4000 };
    const corrected: BreachEvent = { type: "BreachCorrected", data: { officerId, ...more } };
    given([recorded])
      .when({ type: "CorrectBreach", facts: more, ...act(1) })
      .then([corrected]);
    given([recorded, corrected])
      .when({ type: "CorrectBreach", facts, ...act(1) })
      .thenRefuses("version_differs");
  });

  it("is notified only when that was decided, once, at a time that has been", () => {
    const notice = { type: "RecordNotice", of: "authority", notifiedAt: after(40) } as const;
    given([recorded])
      .when({ ...notice, ...act(1) })
      .thenRefuses("notice_not_decided");
    const history = [recorded, decided("AuthorityDecided", true)];
    given(history)
      .when({ ...notice, ...act(2) })
      .then([sent]);
    for (const hours of [-1, 51])
      given(history)
        .when({ ...notice, notifiedAt: after(hours), ...act(2) })
        .thenRefuses("discovered_later");
    given([...history, sent])
      .when({ ...notice, ...act(3) })
      .thenRefuses("notice_sent");
    given([...history, sent])
      .when({ type: "DecideNotice", of: "authority", notify: false, ...act(3) })
      .thenRefuses("notice_sent");
  });

  it("is closed when both decisions are made and every notice is sent", () => {
    const history = [recorded, decided("AuthorityDecided", true)];
    const close = { type: "CloseBreach" } as const;
    given(history)
      .when({ ...close, ...act(2) })
      .thenRefuses("breach_not_settled");
    const settled = [...history, sent, decided("SubjectsDecided", false)];
    const closed: BreachEvent = { type: "BreachClosed", data: { officerId } };
    given(settled)
      .when({ ...close, ...act(4) })
      .then([closed]);
    given([...settled, closed])
      .when({ type: "CorrectBreach", facts, ...act(5) })
      .thenRefuses("breach_closed");
  });
});

describe("the 72 hours", () => {
  const hoursOf = (...events: readonly BreachEvent[]) => {
    const all = events.map((event) => ({ event, stream: "", id: "", occurredAt: after(0) }));
    const state = stateAfter(breachDecider, all);
    const due = breaches.timers?.(state, { id: officerId }) ?? [];
    return Object.fromEntries(
      due.map(({ name, dueAt }) => [name, (Date.parse(dueAt) - discovered) / hourMs]),
    );
  };
  const warned = (...hours: readonly number[]): readonly BreachEvent[] =>
    hours.map((one) => ({ type: "OfficersWarned", data: { hours: one } }));

  it("run from the discovery: officers are mailed at 0, 24, 48 and 66 hours, and when they are over", () => {
    expect(hoursOf(recorded)).toEqual({ "breaches.warn": 0, "breaches.deadline": 72 });
    expect(hoursOf(recorded, ...warned(0, 24))).toMatchObject({ "breaches.warn": 48 });
    expect(hoursOf(recorded, ...warned(0, 24, 48))).toMatchObject({ "breaches.warn": 66 });
    expect(hoursOf(recorded, ...warned(0, 24, 48, 66))).toEqual({ "breaches.deadline": 72 });
    expect(hoursOf(recorded, ...warned(0, 24, 48, 66, 72))).toEqual({ "breaches.deadline": 96 });
  });

  it("end when the authority is notified, or when it was decided that no notice is needed", () => {
    const decision = decided("AuthorityDecided", true);
    expect(hoursOf(recorded, decision)).toMatchObject({ "breaches.deadline": 72 });
    expect(hoursOf(recorded, decision, sent)).toEqual({});
    expect(hoursOf(recorded, decided("AuthorityDecided", false))).toEqual({});
    const again = [decided("AuthorityDecided", false), decision];
    expect(hoursOf(recorded, ...again)).toMatchObject({ "breaches.deadline": 72 });
  });
});

it("every stored event changes the state", () => {
  const ignored = ignoredFixtures(
    join(import.meta.dirname, "fixtures"),
    breachEvents,
    breachDecider,
  );
  expect(ignored).toEqual([]);
});
