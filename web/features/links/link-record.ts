import { dayOf } from "../../i18n/format.ts";

/** One real open of a link. `visitor` distinguishes visitors of this link only. */
export type LinkOpen = {
  at: string;
  country: string;
  region: string;
  visitor: number;
};

export type ExclusionReason = "preview" | "scanner" | "crawler";
/** An open by a program: recorded with its reason, not counted. */
export type LinkExclusion = { at: string; reason: ExclusionReason };

export type LinkRecord = {
  label: string;
  address: string;
  sharedAt: string;
  timeZone: string;
  zoneName: string;
  /** Number of days shown, from the day of sharing. */
  days: number;
  opens: readonly LinkOpen[];
  exclusions: readonly LinkExclusion[];
};

export type DayMarks = {
  day: string;
  /** One entry per open, in order; true for a visitor's first. */
  opens: readonly boolean[];
  excluded: number;
};

export type LinkSummary = {
  opens: number;
  people: number;
  activeDays: number;
  busiest: DayMarks | undefined;
  byDay: readonly DayMarks[];
  byReason: ReadonlyMap<ExclusionReason, number>;
  /** Newest first. */
  latest: readonly (LinkOpen & { first: boolean })[];
};

const dayMs = 24 * 60 * 60 * 1000;

/** Computes every figure of the view. */
export function summarise(record: LinkRecord, latestCount: number): LinkSummary {
  const known = new Set<number>();
  const opens = record.opens
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map((open) => {
      const first = !known.has(open.visitor);
      known.add(open.visitor);
      return { ...open, first, day: dayOf(open.at, record.timeZone) };
    });
  const excludedDays = record.exclusions.map(({ at }) => dayOf(at, record.timeZone));
  const start = new Date(record.sharedAt).getTime();
  const byDay = Array.from({ length: record.days }, (_, index) => {
    const day = dayOf(new Date(start + index * dayMs).toISOString(), record.timeZone);
    return {
      day,
      opens: opens.filter((open) => open.day === day).map((open) => open.first),
      excluded: excludedDays.filter((excluded) => excluded === day).length,
    };
  });
  const byReason = new Map<ExclusionReason, number>();
  for (const { reason } of record.exclusions) byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
  const active = byDay.filter((day) => day.opens.length > 0);
  return {
    opens: opens.length,
    people: known.size,
    activeDays: active.length,
    busiest: active.toSorted((one, other) => other.opens.length - one.opens.length)[0],
    byDay,
    byReason,
    latest: opens.toReversed().slice(0, latestCount),
  };
}
