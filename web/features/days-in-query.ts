import { localTime } from "./local-time.ts";

/** Days of a question, both included, as `YYYY-MM-DD` in the zone of the account. */
export type DaysAsked = { from: string; to: string };

const presets = { "7d": 7, "30d": 30, "90d": 90, "12m": 365 } as const;
type Preset = keyof typeof presets;
export const presetIds = ["7d", "30d", "90d", "12m"] as const satisfies readonly Preset[];

/** What the address asks for: a usual period, or days of one's own (undefined: not chosen yet). */
export type Period = { preset: Preset } | { days: DaysAsked | undefined };

/** Whether a text names a usual period. */
export const isPreset = (text: string): text is Preset => Object.hasOwn(presets, text);
const dayPattern = /^\d{4}-\d{2}-\d{2}$/u;
const isDay = (text: string | null): text is string =>
  text !== null && dayPattern.test(text) && !Number.isNaN(Date.parse(text));

/** The period in an address (`?period=7d`, `?from=2026-01-01&to=2026-01-31`); 30 days where there is none. */
export function periodIn(query: URLSearchParams): Period {
  const [from, to] = [query.get("from"), query.get("to")];
  if (isDay(from) && isDay(to) && from <= to) return { days: { from, to } };
  const named = query.get("period") ?? "";
  if (named === "custom") return { days: undefined };
  return { preset: isPreset(named) ? named : "30d" };
}

/** The query with another period; everything else in it stays. */
export function withPeriod(query: URLSearchParams, period: Period): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of ["period", "from", "to"]) next.delete(name);
  if ("preset" in period) next.set("period", period.preset);
  else if (period.days === undefined) next.set("period", "custom");
  else {
    next.set("from", period.days.from);
    next.set("to", period.days.to);
  }
  return next;
}

/** Today in a zone, by the clock of the browser. */
export const todayIn = (zone: string): string => localTime(Date.now(), zone).day;

const dayMs = 24 * 60 * 60_000;
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);

/** The days of a period that ends at a day, mostly today; without chosen days thirty. */
export function daysOf(period: Period, lastDay: string): DaysAsked {
  if ("days" in period && period.days !== undefined) return period.days;
  const days = presets["preset" in period ? period.preset : "30d"];
  return { from: daysBefore(lastDay, days - 1), to: lastDay };
}

/** In which steps a range is drawn: about ten to a hundred of them. */
export function unitOf({ from, to }: DaysAsked): "hour" | "day" | "week" {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days <= 2) return "hour";
  return days <= 92 ? "day" : "week";
}
