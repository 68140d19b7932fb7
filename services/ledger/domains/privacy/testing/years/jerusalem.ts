const hourMs = 60 * 60_000;
export const dayMs = 24 * hourMs;

/** The last day of a month that is a Sunday, at midnight UTC. @param month from 0 */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getTime() - last.getUTCDay() * dayMs;
}

/**
 * How far the clocks of Israel are ahead of UTC, by the law of 2013 and not by a table of time zones: summer
 * time from the Friday before the last Sunday of March, 02:00, to the last Sunday of October, 02:00.
 */
export function offsetMs(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  const begins = lastSunday(year, 2) - 2 * dayMs;
  const ends = lastSunday(year, 9) - hourMs;
  return (ms >= begins && ms < ends ? 3 : 2) * hourMs;
}

/** Local midnight of the day of an instant, as if it were UTC. */
const localDay = (ms: number): number => {
  const local = ms + offsetMs(ms);
  return local - (((local % dayMs) + dayMs) % dayMs);
};

/** The instant at which a local time of the clock is, none of which is skipped at midnight. */
function atLocal(local: number): number {
  const ms = local - 2 * hourMs;
  return offsetMs(ms - hourMs) === 3 * hourMs ? ms - hourMs : ms;
}

/** The end of the 21st day after receipt, computed apart from the product. */
export const independentDueMs = (receivedMs: number): number =>
  atLocal(localDay(receivedMs) + 22 * dayMs);

const hebrew = new Intl.DateTimeFormat("en-u-ca-hebrew", {
  timeZone: "UTC",
  day: "numeric",
  month: "long",
});
/** Days of rest by law, as the Hebrew calendar of the platform writes them. */
const holidays = new Set([
  "1 Tishri",
  "2 Tishri",
  "10 Tishri",
  "15 Tishri",
  "22 Tishri",
  "15 Nisan",
  "21 Nisan",
  "5 Iyar",
  "6 Sivan",
]);
const restDays = new Map<number, boolean>();

function isRestDay(day: number): boolean {
  const known = restDays.get(day);
  if (known !== undefined) return known;
  const weekday = new Date(day).getUTCDay();
  const rests = weekday >= 5 || holidays.has(hebrew.format(day));
  restDays.set(day, rests);
  return rests;
}

/** The first instant from this one on at which an office works: Sunday to Thursday, 9:00 to 17:00. */
export function nextOfficeHour(ms: number): number {
  for (let day = localDay(ms); ; day += dayMs) {
    if (isRestDay(day)) continue;
    const [opens, closes] = [atLocal(day + 9 * hourMs), atLocal(day + 17 * hourMs)];
    if (ms < closes) return Math.max(ms, opens);
  }
}
