import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { plainRuns, type RichText } from "@pro-talent/schemas/studio/rich-text";
import { cleanLine } from "@pro-talent/schemas/studio/text";

/** What was not taken over as it was, and where it was in the source. */
export type Finding = {
  readonly path: string;
  /** Of another type than expected, longer than allowed, no date, or nothing that a CV has. */
  readonly code: "wrong-type" | "shortened" | "not-a-date" | "no-place" | "too-many";
};

/** Reads values of unknown types; what cannot be taken over is a finding. */
export function openFindings() {
  const found: Finding[] = [];
  const dropped = (path: string, code: Finding["code"]): void => {
    found.push({ path, code });
  };
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === null || value === "";
  const cut = (text: string, path: string, most: number): string => {
    if (text.length <= most) return text;
    dropped(path, "shortened");
    return text.slice(0, most).toWellFormed().trim();
  };
  const text = (value: unknown, path: string): string => {
    if (typeof value === "string") return cleanLine(value);
    if (typeof value === "number") return String(value);
    if (!isEmpty(value)) dropped(path, "wrong-type");
    return "";
  };
  const shortened = (whole: string, path: string): string =>
    cut(whole, path, cvLimits.lineCharsMax);
  const line = (value: unknown, path: string): string => shortened(text(value, path), path);
  const list = (value: unknown, path: string): readonly unknown[] => {
    if (Array.isArray(value)) return atMost<unknown>(value, "entriesMax", path);
    if (!isEmpty(value)) dropped(path, "wrong-type");
    return [];
  };
  const atMost = <T>(
    items: readonly T[],
    limit: keyof typeof cvLimits,
    path: string,
  ): readonly T[] => {
    if (items.length > cvLimits[limit]) dropped(path, "too-many");
    return items.slice(0, cvLimits[limit]);
  };
  return {
    findings: (): readonly Finding[] => found,
    dropped,
    line,
    shortened,
    list,
    atMost,
    lines: (value: unknown, path: string): string[] =>
      list(value, path).map((item, index) => line(item, `${path}.${index}`)),
    paragraph: (value: unknown, path: string): RichText =>
      plainRuns(cut(text(value, path), path, cvLimits.richCharsMax)),
    /** A month or year of a date in ISO 8601. */
    month: (value: unknown, path: string): string => {
      const [month] =
        /^(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2]))?(?=-|T|$)/.exec(text(value, path)) ?? [];
      if (month === undefined && !isEmpty(value)) dropped(path, "not-a-date");
      return month ?? "";
    },
    object: (value: unknown, path: string): Readonly<Record<string, unknown>> => {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
      if (!isEmpty(value)) dropped(path, "wrong-type");
      return {};
    },
  };
}
