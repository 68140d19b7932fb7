/** A period as a document states it; empty where nothing is stated. */
export type Period = { readonly start: string; readonly end: string };

const english = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const hebrew = "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר".split(" ");
const fullEnglish =
  "january|february|march|april|june|july|august|september|october|november|december|sept";
const monthName = `(?:${fullEnglish}|${english.join("|")}|ב?(?:${hebrew.join("|")}|מרס))`;
const year = String.raw`(?:19|20)\d\d`;
const present =
  "(?:present|current|currently|now|today|ongoing|to date|till date|היום|כיום|הווה|ההווה|נוכחי)";
const point = String.raw`(?:(?:\d{1,2}\s+)?${monthName}\.?,?\s*${year}|\d{1,2}[/.]${year}|${year}[/.-](?:0[1-9]|1[0-2])(?!\d)|${year}|${present})`;
const until = String.raw`\s*(?:[-\u2010-\u2015\u2212~־]|to|until|till|עד|through)+\s*(?:ה(?=יום))?`;
const notInside = String.raw`(?<![\p{L}\p{N}])`;
const range = String.raw`${notInside}(${point})${until}(${point})(?![\p{L}\p{N}])`;
const single = String.raw`${notInside}(${point})(?![\p{L}\p{N}])`;
/** `2 years 3 months`, which LinkedIn adds. */
const duration =
  /[(·,]*\s*\d+\+?\s*(?:years?|yrs?|months?|mos?|שנים|שנה|חודשים)(?:\s*(?:and\s+)?\d+\s*(?:months?|mos?|חודשים))?\s*\)?\s*$/iu;

const anyRange = new RegExp(range, "iu");
const onlyPoint = new RegExp(`^\\(?${single}\\)?$`, "iu");
const edges = String.raw`[\s,;:|·()\[\]\u2013\u2014-]*`;
const pointAtEnd = new RegExp(String.raw`(?:[,;|·(]|\s[-\u2013\u2014])\s*(${point})\)?$`, "iu");
const trimmed = new RegExp(`^${edges}|${edges}$`, "giu");

/** A month or year in words or digits as `2024-03`, `2024` or `present`; empty when it is none. */
export function monthIn(text: string): string {
  const value = text.trim().toLowerCase();
  if (new RegExp(`^${present}$`, "iu").test(value)) return "present";
  const [stated] = new RegExp(year).exec(value) ?? [];
  if (stated === undefined || !new RegExp(`^${point}$`, "iu").test(value)) return "";
  const rest = value.replace(stated, "");
  const [digits] = /\d{1,2}(?=[/.])|(?<=[/.-])\d{1,2}/.exec(rest) ?? [];
  const name = rest.replaceAll(/[^\p{L}]/gu, "");
  const found =
    digits === undefined
      ? monthNumber(name)
      : /^0?[1-9]$|^1[0-2]$/.test(digits)
        ? Number(digits)
        : 0;
  return found === 0 ? stated : `${stated}-${String(found).padStart(2, "0")}`;
}

function monthNumber(name: string): number {
  if (name === "") return 0;
  const latin = english.indexOf(name.slice(0, 3));
  if (latin !== -1) return latin + 1;
  const own = name.replace(/^ב/u, "").replace("מרס", "מרץ");
  return hebrew.indexOf(own) + 1;
}

/** The period of a text, and the text without it; undefined when it states none. */
export function periodIn(
  text: string,
): { readonly period: Period; readonly rest: string } | undefined {
  const whole = text.replace(duration, "").trim();
  const found = anyRange.exec(whole);
  if (found !== null) {
    const [matched, first = "", second = ""] = found;
    const rest = `${whole.slice(0, found.index)} ${whole.slice(found.index + matched.length)}`;
    return {
      period: ordered(monthIn(first), monthIn(second)),
      rest: rest.replaceAll(trimmed, "").replaceAll(/\s+/g, " "),
    };
  }
  const alone = onlyPoint.exec(whole) ?? pointAtEnd.exec(whole);
  if (alone === null) return undefined;
  const month = monthIn(alone[1] ?? "");
  const period = month === "present" ? { start: "", end: month } : { start: month, end: "" };
  return { period, rest: whole.slice(0, alone.index).replaceAll(trimmed, "") };
}

/** Programs that take a line from the wrong side give the end first. */
function ordered(first: string, second: string): Period {
  if (first === "present") return { start: second, end: first };
  const isTurned = second !== "present" && second.slice(0, 4) < first.slice(0, 4);
  return isTurned ? { start: second, end: first } : { start: first, end: second };
}
