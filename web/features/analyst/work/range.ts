import type { DaysAsked } from "../../days-in-query.ts";
import type { Range } from "./work-queries.ts";

/** Of a dashboard that was just made. */
export const initialRange = { kind: "last", days: 30 } as const satisfies Range;
/** Usual numbers of days until yesterday. */
export const usualDays = [7, 30, 90, 365] as const;

/** What the address asks for: a range, or days that are not chosen yet. */
export type AskedRange = Range | { kind: "days"; from: undefined; to: undefined };

const dayMs = 24 * 60 * 60_000;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/u;
const countPattern = /^[1-9]\d{0,2}$/u;
const isDay = (text: string | null): text is string =>
  text !== null && dayPattern.test(text) && !Number.isNaN(Date.parse(text));

/** The range in an address (`?last=7`, `?from=2026-01-01&to=2026-01-31`); else that of the dashboard. */
export function rangeIn(search: URLSearchParams, saved: Range): AskedRange {
  const [from, to, last] = [search.get("from"), search.get("to"), search.get("last") ?? ""];
  if (isDay(from) && isDay(to) && from <= to) return { kind: "days", from, to };
  if (last === "own") return { kind: "days", from: undefined, to: undefined };
  return countPattern.test(last) ? { kind: "last", days: Number(last) } : saved;
}

/** The query with another range; everything else in it stays. */
export function withRange(search: URLSearchParams, range: AskedRange): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ["last", "from", "to"]) next.delete(name);
  if (range.kind === "last") next.set("last", String(range.days));
  else if (range.from === undefined) next.set("last", "own");
  else {
    next.set("from", range.from);
    next.set("to", range.to);
  }
  return next;
}

/**
 * The days of a range, both included, in UTC as those of the views. `last` ends yesterday.
 * @param today in UTC
 */
export function daysOfRange(range: AskedRange, today: string): DaysAsked {
  const dayBefore = (days: number): string =>
    new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10);
  if (range.kind === "days" && range.from !== undefined) return { from: range.from, to: range.to };
  const days = range.kind === "last" ? range.days : initialRange.days;
  return { from: dayBefore(days), to: dayBefore(1) };
}

export const isSameRange = (one: AskedRange, other: AskedRange): boolean =>
  one.kind === "last"
    ? other.kind === "last" && one.days === other.days
    : other.kind === "days" && one.from === other.from && one.to === other.to;
