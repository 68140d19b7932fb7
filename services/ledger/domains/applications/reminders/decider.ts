import type { ApplicationEvent } from "@pro-talent/schemas/applications/events";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { instantOfLocal, type LocalTime } from "@pro-talent/schemas/primitives/local-time";

import { type Refusal, refuse } from "../../../kernel/types.ts";

export type ReminderTime = { readonly at: LocalTime; readonly zone: string };
type Plan = ReminderTime & { readonly byMail: boolean };

export type Reminder = Plan & {
  /** Its time has come, and that was recorded. */
  readonly due: boolean;
  readonly done: boolean;
  /** How often it came due, put off between. */
  readonly times: number;
};
export type Reminders = ReadonlyMap<string, Reminder>;

const isPlanned = ({ due, done }: Reminder): boolean => !due && !done;

export type ReminderCommand =
  | ({ readonly accountId: string; readonly reminderId: string } & (
      | { readonly type: "PlanReminder"; readonly plan: Plan }
      /** `done` undefined: as it was. */
      | {
          readonly type: "ChangeReminder";
          readonly plan: { readonly [Name in keyof Plan]?: Plan[Name] | undefined };
          /** Its text is sealed beside the command. */
          readonly hasText: boolean;
          readonly done: boolean | undefined;
        }
      | { readonly type: "RemoveReminder" }
    ))
  /** Some may be due. */
  | { readonly type: "RecordDue" }
  /** No more mails about those that are planned. */
  | { readonly type: "TurnMailsOff" };

const commandTypes: ReadonlySet<string> = new Set<ReminderCommand["type"]>([
  "PlanReminder",
  "ChangeReminder",
  "RemoveReminder",
  "RecordDue",
  "TurnMailsOff",
]);

export const isReminderCommand = <Other extends { readonly type: string }>(
  command: Other | ReminderCommand,
): command is ReminderCommand => commandTypes.has(command.type);

type ReminderEvent = Extract<ApplicationEvent, { data: { reminderId: string } }>;
type Decision =
  | readonly ReminderEvent[]
  | Refusal<"application_full" | "reminder_not_found" | "reminder_past">;

/** When a reminder is due, by the rules of its zone that are known now. */
export const dueAtOf = ({ at, zone }: ReminderTime): Instant => instantOfLocal(at, zone);

/** When the next reminder that has not come due is due; null when there is none. */
export const nextDue = (reminders: Reminders): Instant | null =>
  [...reminders.values()]
    .filter(isPlanned)
    .map(dueAtOf)
    .reduce<Instant | null>((next, at) => (next === null || at < next ? at : next), null);

/** What follows from a command about the reminders of an application. */
export function decideReminder(
  command: ReminderCommand,
  reminders: Reminders,
  now: Instant,
): Decision {
  switch (command.type) {
    case "PlanReminder": {
      const { reminderId, plan } = command;
      if (reminders.size >= limit.remindersMax) return refuse("application_full");
      return dueAtOf(plan) <= now
        ? refuse("reminder_past")
        : [{ type: "ReminderPlanned", data: { reminderId, ...plan } }];
    }
    case "ChangeReminder":
      return decideChange(command, reminders.get(command.reminderId), now);
    case "RemoveReminder": {
      const { reminderId } = command;
      if (!reminders.has(reminderId)) return refuse("reminder_not_found");
      return [{ type: "ReminderRemoved", data: { reminderId } }];
    }
    case "RecordDue":
      return [...reminders]
        .filter(([, reminder]) => isPlanned(reminder) && dueAtOf(reminder) <= now)
        .map(([reminderId]) => ({ type: "ReminderCameDue", data: { reminderId } }));
    case "TurnMailsOff":
      return [...reminders]
        .filter(([, reminder]) => isPlanned(reminder) && reminder.byMail)
        .map(([reminderId, { at, zone }]) => {
          return { type: "ReminderPlanned", data: { reminderId, at, zone, byMail: false } };
        });
  }
}

type Change = Extract<ReminderCommand, { type: "ChangeReminder" }>;

function decideChange(change: Change, before: Reminder | undefined, now: Instant): Decision {
  if (before === undefined) return refuse("reminder_not_found");
  const { reminderId, done } = change;
  const plan = planAfter(change, before);
  const isMoved = plan.at !== before.at || plan.zone !== before.zone;
  if (isMoved && dueAtOf(plan) <= now) return refuse("reminder_past");
  const events: ReminderEvent[] = [];
  if (isMoved || change.hasText || plan.byMail !== before.byMail)
    events.push({ type: "ReminderPlanned", data: { reminderId, ...plan } });
  const wasDone = before.done && !isMoved;
  if (done === true && !wasDone) events.push({ type: "ReminderDone", data: { reminderId } });
  if (done === false && wasDone) events.push({ type: "ReminderReopened", data: { reminderId } });
  return events;
}

const planAfter = ({ plan }: Change, before: Plan): Plan => ({
  at: plan.at ?? before.at,
  zone: plan.zone ?? before.zone,
  byMail: plan.byMail ?? before.byMail,
});

/** The reminders after an event. One that is put off is planned again, also when it was done. */
export function evolveReminders(reminders: Reminders, event: ReminderEvent): Reminders {
  const { reminderId } = event.data;
  const before = reminders.get(reminderId);
  const after = evolveReminder(before, event);
  if (after === before) return reminders;
  const all = new Map(reminders);
  if (after === undefined) all.delete(reminderId);
  else all.set(reminderId, after);
  return all;
}

/** One reminder after an event of its own; undefined when there is none, or none any more. */
export function evolveReminder(
  before: Reminder | undefined,
  event: ReminderEvent,
): Reminder | undefined {
  if (event.type === "ReminderPlanned") {
    const { at, zone, byMail } = event.data;
    const isMoved = at !== before?.at || zone !== before.zone;
    const { due, done } = isMoved ? { due: false, done: false } : before;
    return { at, zone, byMail, due, done, times: before?.times ?? 0 };
  }
  if (before === undefined) return undefined;
  switch (event.type) {
    case "ReminderCameDue":
      return { ...before, due: true, times: before.times + 1 };
    case "ReminderDone":
      return { ...before, done: true };
    case "ReminderReopened":
      return { ...before, done: false };
    case "ReminderRemoved":
      return undefined;
  }
}

export const isReminderEvent = (event: ApplicationEvent): event is ReminderEvent =>
  "reminderId" in event.data;
