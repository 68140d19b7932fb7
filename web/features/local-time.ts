/**
 * The calendar day and time of an instant in a zone, `YYYY-MM-DD` and `HH:mm:ss`, from named parts: how
 * a browser writes a date in a locale is its own choice (WebKit writes `en-CA` as `11/23/26`).
 * @param instant ISO 8601 or milliseconds; @param timeZone an IANA name
 */
export function localTime(instant: string | number, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(
    format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]),
  );
  const joined = (types: readonly Intl.DateTimeFormatPartTypes[], by: string): string =>
    types.map((type) => parts.get(type) ?? "").join(by);
  return {
    day: joined(["year", "month", "day"], "-"),
    time: joined(["hour", "minute", "second"], ":"),
  };
}

/** The last instant of a day in a zone, as ISO 8601; null where no day is chosen. */
export function endOfDay(day: string, timeZone: string): string | null {
  const utc = Date.parse(`${day}T23:59:59Z`);
  if (Number.isNaN(utc)) return null;
  const shown = localTime(utc, timeZone);
  const offset = Date.parse(`${shown.day}T${shown.time}Z`) - utc;
  return new Date(utc - offset).toISOString();
}
