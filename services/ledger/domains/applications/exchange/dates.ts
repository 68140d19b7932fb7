import { Day, dayPlus } from "@pro-talent/schemas/primitives/calendar";

/** Which part of `1/2/2026` is the day; undefined where it is not known. */
export type DateOrder = "day-first" | "month-first" | undefined;

const months: readonly (readonly string[])[] = [
  ["jan", "ינואר"],
  ["feb", "פברואר"],
  ["mar", "מרץ", "מרס"],
  ["apr", "אפריל"],
  ["may", "מאי"],
  ["jun", "יוני"],
  ["jul", "יולי"],
  ["aug", "אוגוסט"],
  ["sep", "ספטמבר"],
  ["oct", "אוקטובר"],
  ["nov", "נובמבר"],
  ["dec", "דצמבר"],
];
const yearFirst = /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/u;
const yearLast =
  /^(?<one>\d{1,2})(?<sign>[-/.])(?<other>\d{1,2})\k<sign>(?<year>\d{4}|\d{2})(?!\d)/u;
const dayNamed =
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[ -]+ב?(?<month>\p{L}{3,12})\.?,?[ -]+(?<year>\d{4})(?!\d)/iu;
const monthNamed =
  /^(?<month>\p{L}{3,12})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?!\d)/iu;
const weekday = /^(?:(?:sun|mon|tue|wed|thu|fri|sat)\p{L}*|יום \p{L}{2,6}),? +/iu;
/** Days since 1899-12-30, as spreadsheets keep dates; of 1982 to 2100. */
const serial = /^(?<days>[3-6]\d{4}|7[0-2]\d{3})(?:\.\d+)?$/u;
const serialStart = Day.parse("1899-12-30");

/** Which order the dates of a table show: some have a part beyond 12, and none contradicts. */
export function dateOrder(texts: readonly string[]): DateOrder {
  const found = new Set<DateOrder>();
  for (const text of texts) {
    const { one = "", other = "", sign } = yearLast.exec(text)?.groups ?? {};
    if (sign === ".") continue;
    if (Number(one) > 12) found.add("day-first");
    if (Number(other) > 12) found.add("month-first");
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/**
 * The day of a date in one of the usual forms: ISO 8601, `31.12.2026`, `31/12/2026`, `12/31/26`, `31 Dec 2026`,
 * `Dec 31, 2026`, `31 בדצמבר 2026`, or the number of a spreadsheet. A time after it is left out.
 * @returns undefined for no date, and for one with two meanings
 */
export function readDay(text: string, order: DateOrder): Day | undefined {
  const bare = text.trim().replace(weekday, "");
  const days = serial.exec(bare)?.groups?.["days"];
  if (days !== undefined) return dayPlus(serialStart, Number(days));
  const parts = partsOf(bare, order);
  if (parts === undefined) return undefined;
  const [year, month, day] = parts.map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const full = year < 100 ? 2000 + year : year;
  if (full < 1970 || full > 2100) return undefined;
  const two = (part: number): string => String(part).padStart(2, "0");
  return Day.safeParse(`${full}-${two(month)}-${two(day)}`).data;
}

type Parts = readonly (string | number | undefined)[];

function partsOf(text: string, order: DateOrder): Parts | undefined {
  const clear = [yearFirst, dayNamed, monthNamed].find((form) => form.test(text));
  if (clear !== undefined) {
    const { year, month = "", day } = clear.exec(text)?.groups ?? {};
    return [year, /\d/u.test(month) ? month : monthOf(month), day];
  }
  const { one, other, sign, year } = yearLast.exec(text)?.groups ?? {};
  const known = sign === "." || one === other ? "day-first" : (dateOrder([text]) ?? order);
  if (known === undefined) return undefined;
  return known === "day-first" ? [year, other, one] : [year, one, other];
}

function monthOf(name: string): number | undefined {
  const index = months.findIndex((names) =>
    names.some((one) => name.toLowerCase().startsWith(one)),
  );
  return index < 0 ? undefined : index + 1;
}
