import { Day } from "@pro-talent/schemas/primitives/calendar";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { inactiveSince, type InactivityNotice } from "@pro-talent/schemas/privacy/inactivity";
import { describe, expect, it } from "vitest";

import {
  type InactivityCommand,
  inactivityDecider,
  type InactivityState,
  nextStep,
  plannedOn,
} from "./decider.ts";

const day = (text: string): Day => Day.parse(text);
/** Noon in Jerusalem and in UTC alike. */
const noon = (text: string): Instant => Instant.parse(`${text}T10:00:00.000Z`);
const requestId = "3f1d2c4b-5a69-4788-9b0a-1c2d3e4f5a6b";

function after(...commands: readonly (readonly [string, InactivityCommand])[]): InactivityState {
  return commands.reduce<InactivityState>((state, [on, command]) => {
    const events = inactivityDecider.decide(command, state, { now: noon(on) });
    if ("kind" in events) throw new Error(`${command.type} on ${on}: ${events.code}`);
    return events.reduce((one, event) => inactivityDecider.evolve(one, event, noon(on)), state);
  }, inactivityDecider.initialState);
}
function answer(state: InactivityState, on: string, command: InactivityCommand) {
  const events = inactivityDecider.decide(command, state, { now: noon(on) });
  return "kind" in events ? events.code : events.map(({ type }) => type);
}
function next(state: InactivityState) {
  return state.status === "none" ? null : nextStep(state);
}

const noted = ["2026-01-12", { type: "NoteInactivity", activeOn: day("2023-02-10") }] as const;
const notice = (
  on: string,
  which: InactivityNotice,
  result: "sent" | "refused" | "later" = "sent",
) => [on, { type: "RecordNotice", notice: which, result }] as const;
const request: InactivityCommand = { type: "RequestDeletion", requestId };
const first = notice("2026-01-12", "first");
const second = notice("2026-02-04", "second");

describe("three years without use", () => {
  it.each([
    ["2023-02-10", "2026-02-11"],
    ["2024-02-29", "2027-03-01"],
    ["2025-02-28", "2028-02-29"],
    ["2023-12-31", "2027-01-01"],
  ])("after a last use on %s are over on %s", (used, over) => {
    expect(inactiveSince(day(used))).toBe(over);
  });
});

describe("an account that is not used", () => {
  it("is notified 30 and 7 days before its deletion is asked for, at the begin of the day in Israel", () => {
    expect(next(after(noted))).toEqual({ step: "first", dueAt: "2026-01-11T22:00:00.000Z" });
    expect(next(after(noted, first))).toEqual({
      step: "second",
      dueAt: "2026-02-03T22:00:00.000Z",
    });
    expect(next(after(noted, first, second))).toEqual({
      step: "deletion",
      dueAt: "2026-02-10T22:00:00.000Z",
    });
  });

  it("is not asked to be deleted before both notices are delivered and their time is over", () => {
    expect(answer(after(noted), "2026-06-01", request)).toBe("not-due");
    expect(answer(after(noted, first), "2026-06-01", request)).toBe("not-due");
    expect(answer(after(noted, first, second), "2026-02-10", request)).toBe("not-due");
    expect(answer(after(noted, first, second), "2026-02-11", request)).toEqual([
      "InactiveDeletionRequested",
    ]);
  });

  it("has its deletion postponed when a notice arrives late: 30 days from the delivery", () => {
    const late = after(
      noted,
      notice("2026-01-12", "first", "refused"),
      notice("2026-03-01", "first"),
    );
    expect(late.status !== "none" && plannedOn(late)).toBe("2026-03-31");
    expect(next(late)).toMatchObject({ step: "second", dueAt: "2026-03-23T22:00:00.000Z" });
  });

  it("gets a refused notice again after a week, a delayed one after hours, however often", () => {
    const refused = after(noted, notice("2026-01-12", "first", "refused"));
    expect(next(refused)).toEqual({ step: "first", dueAt: "2026-01-19T10:00:00.000Z" });
    const delayed = after(noted, notice("2026-01-12", "first", "later"));
    expect(next(delayed)).toEqual({ step: "first", dueAt: "2026-01-12T12:00:00.000Z" });
  });

  it("is not deleted after a notice that came back, even when the deletion was asked for", () => {
    const requested = after(noted, first, second, ["2026-02-11", request]);
    const returned: InactivityCommand = { type: "RecordReturn", notice: "first" };
    expect(next(requested)).toBeNull();
    expect(answer(requested, "2026-02-12", returned)).toEqual(["InactivityNoticeReturned"]);
    const back = after(noted, first, second, ["2026-02-11", request], ["2026-02-12", returned]);
    expect(next(back)).toEqual({ step: "first", dueAt: "2026-02-19T10:00:00.000Z" });
    expect(answer(back, "2026-02-12", returned)).toEqual([]);
  });

  it("that is exempt is looked at again after 30 days", () => {
    const exempt = after(noted, first, second, [
      "2026-02-11",
      { type: "Exempt", reason: "payment-open" },
    ]);
    expect(next(exempt)).toEqual({ step: "deletion", dueAt: "2026-03-13T10:00:00.000Z" });
  });

  it("is not inactive once it is used, and a deletion that was asked for is named", () => {
    const ended = { type: "EndInactivity", reason: "used" } as const;
    const requested = after(noted, first, second, ["2026-02-11", request]);
    expect(inactivityDecider.decide(ended, requested, { now: noon("2026-02-20") })).toEqual([
      { type: "InactivityEnded", data: { reason: "used", requestId } },
    ]);
    expect(after(noted, ["2026-01-20", ended])).toEqual({ status: "none" });
    expect(answer(after(noted, first), ...noted)).toEqual([]);
  });
});
