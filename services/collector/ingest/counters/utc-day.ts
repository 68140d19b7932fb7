const dayMs = 24 * 60 * 60 * 1000;

let last = { number: -1, day: "" };

/** The UTC day of a time value, `2026-03-01`. */
export function utcDay(ms: number): string {
  const number = Math.floor(ms / dayMs);
  if (last.number !== number) {
    last = { number, day: new Date(number * dayMs).toISOString().slice(0, 10) };
  }
  return last.day;
}
