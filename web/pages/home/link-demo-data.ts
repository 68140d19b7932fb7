type Region = "telAviv" | "bavaria" | "england";
type ExclusionReason = "preview" | "scanner" | "crawler";
/** An open on a day of November, with its time as the owner's clock shows it. */
type Open = { day: number; time: string; region: Region; visitor: number };

/** The opens of an invented link; the page says that it is invented. */
const opens: readonly Open[] = [
  { day: 4, time: "09:42", region: "telAviv", visitor: 1 },
  { day: 5, time: "10:15", region: "telAviv", visitor: 2 },
  { day: 5, time: "10:51", region: "telAviv", visitor: 1 },
  { day: 5, time: "16:30", region: "bavaria", visitor: 3 },
  { day: 6, time: "11:05", region: "telAviv", visitor: 1 },
  { day: 9, time: "09:20", region: "telAviv", visitor: 2 },
  { day: 10, time: "10:02", region: "bavaria", visitor: 4 },
  { day: 10, time: "10:40", region: "bavaria", visitor: 3 },
  { day: 10, time: "13:17", region: "bavaria", visitor: 4 },
  { day: 10, time: "17:55", region: "england", visitor: 5 },
  { day: 11, time: "12:12", region: "england", visitor: 5 },
  { day: 11, time: "15:26", region: "telAviv", visitor: 2 },
  { day: 15, time: "18:04", region: "bavaria", visitor: 6 },
  { day: 16, time: "09:42", region: "bavaria", visitor: 6 },
];
/** Days on which programs opened the link, by kind of program. */
const excludedDays: Record<ExclusionReason, readonly number[]> = {
  preview: [3, 3, 5],
  scanner: [3, 5, 10],
  crawler: [12],
};
const sharedDay = 3;
const dayCount = 14;

/** `first` is true for the first open of a visitor. */
function withFirst(): readonly (Open & { first: boolean })[] {
  const known = new Set<number>();
  return opens.map((open) => {
    const first = !known.has(open.visitor);
    known.add(open.visitor);
    return { ...open, first };
  });
}

/** The marks of one day; `opens` has one entry per open, true for a visitor's first. */
export type DayMarks = { day: number; opens: readonly boolean[]; excluded: number };

const marked = withFirst();
const excluded = Object.values(excludedDays).flat();
const byDay: readonly DayMarks[] = Array.from({ length: dayCount }, (_, index) => {
  const day = sharedDay + index;
  return {
    day,
    opens: marked.filter((open) => open.day === day).map(({ first }) => first),
    excluded: excluded.filter((one) => one === day).length,
  };
});
const active = byDay.filter((marks) => marks.opens.length > 0);

/** The demo link with every figure that the view shows. Days are numbers of the month. */
export const demoLink = {
  address: "/l/harbour-studio",
  sharedDay,
  lastDay: sharedDay + dayCount - 1,
  byDay,
  opens: opens.length,
  people: new Set(opens.map(({ visitor }) => visitor)).size,
  activeDays: active.length,
  busiestDay: active.toSorted((one, other) => other.opens.length - one.opens.length)[0]?.day ?? 0,
  /** Newest first. */
  latest: marked.toReversed().slice(0, 3),
  excluded: excluded.length,
  excludedByReason: [
    ["preview", excludedDays.preview.length],
    ["scanner", excludedDays.scanner.length],
    ["crawler", excludedDays.crawler.length],
  ] as const,
};

/** The calendar date of a day of the demo. */
export const demoDate = (day: number): string => `2025-11-${String(day).padStart(2, "0")}`;
