import { insightLimits as limit } from "@pro-talent/schemas/insights/limits";
import {
  type Day,
  dayPlus,
  daysBetween,
  startOfDay,
} from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";

import type { Span } from "./ask.ts";

export type Unit = "hour" | "day" | "week";
export type Days = { readonly from: Day; readonly to: Day; readonly zone: string };

export type Range = Span & {
  /** The range of the same number of days before it. */
  readonly before: Span;
  /** The first instant of each hour, day or week that the range touches. */
  readonly edges: readonly Instant[];
  /** Someone may have been counted more than once. */
  readonly upTo: boolean;
};

const hourMs = 60 * 60 * 1000;

/**
 * Days of a time zone as spans of time; days of 23 and 25 hours are as long as they were. The edges are
 * made here and not by ClickHouse, so that one set of rules of time zones decides.
 * @returns undefined when it is too long, or ends before it begins
 */
export function rangeOf({ from, to, zone }: Days, unit: Unit): Range | undefined {
  const count = daysBetween(from, to) + 1;
  const countMax = unit === "hour" ? limit.hourlyDaysMax : limit.daysMax;
  if (count < 1 || count > countMax) return undefined;
  const start = startOfDay(from, zone);
  const until = startOfDay(dayPlus(to, 1), zone);
  const before = { from: startOfDay(dayPlus(from, -count), zone), until: start };
  const hours = (Date.parse(until) - Date.parse(start)) / hourMs;
  const edges = unit === "hour" ? hoursOf(start, until) : edgesOf(from, to, zone, unit);
  return { from: start, until, before, edges, upTo: hours > limit.recognisedHours };
}

/** The first instants of the last days of a range, at most so many, the oldest first. */
export function lastDays({ from, to, zone }: Days, count: number): Instant[] {
  const first = dayPlus(to, 1 - count);
  return edgesOf(first > from ? first : from, to, zone, "day");
}

function edgesOf(from: Day, to: Day, zone: string, unit: "day" | "week"): Instant[] {
  const first = unit === "week" ? mondayOf(from) : from;
  const step = unit === "week" ? 7 : 1;
  const edges: Instant[] = [];
  for (let day = first; day <= to; day = dayPlus(day, step)) edges.push(startOfDay(day, zone));
  return edges;
}

/** Weeks begin on Monday (ISO 8601). */
function mondayOf(day: Day): Day {
  return dayPlus(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function hoursOf(from: Instant, until: Instant): Instant[] {
  const edges: Instant[] = [];
  for (let at = from; at < until; at = instantPlus(at, hourMs)) edges.push(at);
  return edges;
}

/** As ClickHouse compares them: seconds since 1970. */
export const secondsOf = (edges: readonly Instant[]): number[] =>
  edges.map((edge) => Date.parse(edge) / 1000);

/** An edge as it comes back from ClickHouse. */
export const instantOfSeconds = (seconds: number): Instant => instantFromMs(seconds * 1000);
