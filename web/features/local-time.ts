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
