import { localTime } from "../../local-time.ts";
import type { Application, Reminder } from "../queries.ts";

/** Days are calendar days, `YYYY-MM-DD`; months `YYYY-MM`. */
const dayMs = 24 * 60 * 60_000;
export const dayPlus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The month so many months later. */
export function monthPlus(month: string, months: number): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  return first.toISOString().slice(0, 7);
}

/** What browsers know of weeks: some by a method, older ones by a property, others nothing. */
type WeekLocale = { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } };

/** The first day of a week as ISO 8601 counts, 1 Monday to 7 Sunday; Sunday where it is not known. */
export function firstDayOf(language: string): number {
  const locale: Intl.Locale & WeekLocale = new Intl.Locale(language === "he" ? "he-IL" : language);
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 7;
}

const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7;
const weekStart = (day: string, firstDay: number): string =>
  dayPlus(day, -((weekdayOf(day) - firstDay + 7) % 7));

/** The weeks of a month, whole: they begin and end with days of its neighbours. */
export function weeksOf(month: string, firstDay: number): readonly (readonly string[])[] {
  const begin = weekStart(`${month}-01`, firstDay);
  const last = dayPlus(`${monthPlus(month, 1)}-01`, -1);
  const count = Math.floor((Date.parse(last) - Date.parse(begin)) / dayMs / 7) + 1;
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => dayPlus(begin, week * 7 + index)),
  );
}

/** The same day of another month, or its last day. */
function inMonth(day: string, months: number): string {
  const month = monthPlus(day.slice(0, 7), months);
  const last = dayPlus(`${monthPlus(month, 1)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same < last ? same : last;
}

/** The day to which a key leads; undefined for other keys. */
export function dayAfterKey(
  day: string,
  key: string,
  { rtl, firstDay }: { rtl: boolean; firstDay: number },
): string | undefined {
  switch (key) {
    case "ArrowRight":
      return dayPlus(day, rtl ? -1 : 1);
    case "ArrowLeft":
      return dayPlus(day, rtl ? 1 : -1);
    case "ArrowDown":
      return dayPlus(day, 7);
    case "ArrowUp":
      return dayPlus(day, -7);
    case "Home":
      return weekStart(day, firstDay);
    case "End":
      return dayPlus(weekStart(day, firstDay), 6);
    case "PageUp":
      return inMonth(day, -1);
    case "PageDown":
      return inMonth(day, 1);
    default:
      return undefined;
  }
}

/** What a day brings: a deadline, or a reminder at its time. */
export type CalendarEntry = {
  id: string;
  kind: "deadline" | "reminder";
  applicationId: string;
  company: string;
  /** Of the application, or what a reminder says. */
  text: string;
  /** Of a reminder. */
  dueAt: string | undefined;
};

/** Entries by day: deadlines first, then reminders by their time. */
export function entriesByDay(
  applications: readonly Application[],
  reminders: readonly Reminder[],
  zone: string,
): ReadonlyMap<string, readonly CalendarEntry[]> {
  const companies = new Map(applications.map((one) => [one.applicationId, one.details.company]));
  const days = new Map<string, CalendarEntry[]>();
  const add = (day: string, entry: CalendarEntry): void => {
    const known = days.get(day);
    if (known === undefined) days.set(day, [entry]);
    else known.push(entry);
  };
  for (const { applicationId, details } of applications) {
    const { deadline, company, role } = details;
    if (deadline === null) continue;
    const entry = { applicationId, company, text: role, dueAt: undefined };
    add(deadline, { id: `deadline-${applicationId}`, kind: "deadline", ...entry });
  }
  for (const { reminderId, applicationId, dueAt, text } of reminders) {
    const company = companies.get(applicationId);
    if (company === undefined) continue;
    const entry = { applicationId, company, text, dueAt };
    add(localTime(dueAt, zone).day, { id: reminderId, kind: "reminder", ...entry });
  }
  return days;
}
