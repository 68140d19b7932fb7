import type { ApplicationEvent } from "@pro-talent/schemas/applications/events";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { LocalTime } from "@pro-talent/schemas/primitives/local-time";
import { describe, expect, it } from "vitest";

import { specification } from "../../../kernel/testing/given.ts";
import { applications } from "../applications.ts";
import { applicationDecider } from "../decider.ts";

const at = (text: string) => instantFromMs(Date.parse(text));
const local = (text: string) => LocalTime.parse(text);
const accountId = "account";
const [first, second] = ["first", "second"];
const zone = "Asia/Jerusalem";
const morning = { at: local("2026-03-01T09:00"), zone, byMail: true };
const evening = { at: local("2026-03-01T18:00"), zone, byMail: false };
const added: ApplicationEvent = {
  type: "ApplicationAdded",
  data: { accountId, stageId: "stage", rank: "V" },
};
const planned = (reminderId: string, plan: typeof morning): ApplicationEvent => ({
  type: "ReminderPlanned",
  data: { reminderId, ...plan },
});
const of = (type: `Reminder${"CameDue" | "Done" | "Reopened" | "Removed"}`, reminderId: string) =>
  ({ type, data: { reminderId } }) as const;
const change = (
  reminderId: string,
  plan: Partial<typeof morning>,
  { hasText = false, done }: { hasText?: boolean; done?: boolean } = {},
) => ({ type: "ChangeReminder", accountId, reminderId, plan, hasText, done }) as const;

/** Nine in the morning in Israel is seven by UTC. */
const givenEarly = specification(applicationDecider, at("2026-03-01T06:59:00Z"));
const givenAtNine = specification(applicationDecider, at("2026-03-01T07:00:00Z"));
const records = { type: "RecordDue" } as const;

describe("a reminder", () => {
  it("is planned for a time that is yet to come", () => {
    const plans = { type: "PlanReminder", accountId, reminderId: first, plan: morning } as const;
    givenEarly([added])
      .when(plans)
      .then([planned(first, morning)]);
    givenAtNine([added]).when(plans).thenRefuses("reminder_past");
    const many = Array.from({ length: limit.remindersMax }, (_, n) => planned(`${n}`, evening));
    givenEarly([added, ...many])
      .when(plans)
      .thenRefuses("application_full");
  });

  it("comes due once, at its local time", () => {
    const both = [added, planned(first, morning), planned(second, evening)];
    givenEarly(both).when(records).thenNothingChanges();
    givenAtNine(both)
      .when(records)
      .then([of("ReminderCameDue", first)]);
    givenAtNine([...both, of("ReminderCameDue", first)])
      .when(records)
      .thenNothingChanges();
    givenAtNine([...both, of("ReminderDone", first)])
      .when(records)
      .thenNothingChanges();
  });

  it("that is put off, or whose zone changes, comes due again", () => {
    const due = [added, planned(first, morning), of("ReminderCameDue", first)];
    const later = { ...morning, at: evening.at };
    givenAtNine(due)
      .when(change(first, { at: evening.at }))
      .then([planned(first, later)]);
    const abroad = { ...morning, zone: "America/New_York" };
    givenAtNine(due)
      .when(change(first, { zone: abroad.zone }))
      .then([planned(first, abroad)]);
    const givenEvening = specification(applicationDecider, at("2026-03-01T16:00:00Z"));
    givenEvening([...due, planned(first, later)])
      .when(records)
      .then([of("ReminderCameDue", first)]);
    givenAtNine(due)
      .when(change(first, { zone: "Asia/Tokyo" }))
      .thenRefuses("reminder_past");
  });

  it("keeps its state when its text changes, or whether it is mailed", () => {
    const due = [added, planned(first, morning), of("ReminderCameDue", first)];
    givenAtNine(due)
      .when(change(first, {}, { hasText: true }))
      .then([planned(first, morning)]);
    givenAtNine([...due, planned(first, morning)])
      .when(records)
      .thenNothingChanges();
    givenAtNine(due).when(change(first, {})).thenNothingChanges();
  });

  it("is done and open again, each once, and removed", () => {
    const one = [added, planned(first, morning)];
    givenEarly(one)
      .when(change(first, {}, { done: true }))
      .then([of("ReminderDone", first)]);
    givenEarly([...one, of("ReminderDone", first)])
      .when(change(first, {}, { done: true }))
      .thenNothingChanges();
    givenEarly([...one, of("ReminderDone", first)])
      .when(change(first, {}, { done: false }))
      .then([of("ReminderReopened", first)]);
    const removes = { type: "RemoveReminder", accountId, reminderId: first } as const;
    givenEarly(one)
      .when(removes)
      .then([of("ReminderRemoved", first)]);
    givenEarly([...one, of("ReminderRemoved", first)])
      .when(removes)
      .thenRefuses("reminder_not_found");
    givenEarly([added]).when(change(first, {})).thenRefuses("reminder_not_found");
  });

  it("that is planned is shown on the site only once mails are turned off", () => {
    const quiet = planned(first, { ...morning, byMail: false });
    givenEarly([added, planned(first, morning), planned(second, evening)])
      .when({ type: "TurnMailsOff" })
      .then([quiet]);
    givenAtNine([added, planned(first, morning), of("ReminderCameDue", first)])
      .when({ type: "TurnMailsOff" })
      .thenNothingChanges();
  });
});

it("an application has a timer for the reminder that is due next", () => {
  const timersAfter = (...events: ApplicationEvent[]) => {
    const state = events.reduce(
      (before, event) => applicationDecider.evolve(before, event, at("2026-02-01T00:00:00Z")),
      applicationDecider.initialState,
    );
    return applications.timers?.(state, { id: "" });
  };
  const both = [added, planned(second, evening), planned(first, morning)];
  const remind = "applications.remind";
  expect(timersAfter(...both)).toEqual([{ name: remind, dueAt: "2026-03-01T07:00:00.000Z" }]);
  expect(timersAfter(...both, of("ReminderCameDue", first))).toEqual([
    { name: remind, dueAt: "2026-03-01T16:00:00.000Z" },
  ]);
  expect(timersAfter(...both, of("ReminderDone", second), of("ReminderRemoved", first))).toEqual(
    [],
  );
});
