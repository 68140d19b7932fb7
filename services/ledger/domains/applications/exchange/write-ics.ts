import type { Application, Reminder } from "@pro-talent/schemas/applications/application";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { cleanLine } from "@pro-talent/schemas/studio/clean-text";
import ical, { ICalAlarmType, ICalCalendarMethod } from "ical-generator";

import { words } from "./words.ts";

/** A reminder takes this time in a calendar. */
const reminderMs = 15 * 60_000;
/** By which an import knows what it exported, and is no application. */
export const reminderId = "reminder-";

type Made = { readonly language: Locale; readonly at: Instant; readonly origin: string };

/**
 * Deadlines and reminders as a calendar file (RFC 5545): deadlines of what is not archived as whole days,
 * reminders that are not done at their instants, with an alarm. Entries keep their ids from export to export.
 */
export function writeIcs(
  applications: readonly Application[],
  reminders: readonly Reminder[],
  { language, at, origin }: Made,
): string {
  const { calendar: name, deadline: deadlineWord } = words[language];
  const { hostname } = new URL(origin);
  const titleOf = new Map(applications.map((one) => [one.applicationId, titleIn(one)]));
  const calendar = ical({
    name,
    prodId: { company: "Pro Talent", product: "Applications", language: language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
  });
  const entry = { stamp: new Date(at), url: `${origin}/applications` };
  for (const { applicationId, details, archivedAt, changedAt } of applications) {
    if (details.deadline === null || archivedAt !== null) continue;
    calendar.createEvent({
      ...entry,
      id: `deadline-${applicationId}@${hostname}`,
      start: new Date(`${details.deadline}T00:00:00Z`),
      allDay: true,
      summary: `${deadlineWord}: ${titleOf.get(applicationId) ?? ""}`,
      ...(details.place !== "" && { location: details.place }),
      lastModified: new Date(changedAt),
    });
  }
  for (const { reminderId: id, applicationId, dueAt, text, status } of reminders) {
    if (status === "done") continue;
    const start = new Date(dueAt);
    const summary = [cleanLine(text), titleOf.get(applicationId)].filter(Boolean).join(" · ");
    const end = new Date(start.getTime() + reminderMs);
    const event = calendar.createEvent({
      ...entry,
      id: `${reminderId}${id}@${hostname}`,
      start,
      end,
      summary,
    });
    event.createAlarm({ type: ICalAlarmType.display, triggerBefore: 0, description: summary });
  }
  return calendar.toString();
}

const titleIn = ({ details: { role, company } }: Application): string =>
  role === "" ? company : `${role} – ${company}`;
