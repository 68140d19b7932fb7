import { cleanLine } from "@pro-talent/schemas/studio/clean-text";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { plainRuns, RichText } from "@pro-talent/schemas/studio/rich-text";
import { plainOf } from "@pro-talent/schemas/studio/runs";

import { type Span } from "./lines.ts";

/** What was not taken over as it was. */
export type Finding = {
  /**
   * Where it is: in a file with fields their names (`basics.image`, `Positions.csv 3`), in a page `page 2` or
   * `paragraph 14`, and of what was taken over but is uncertain, the field of the document (`sections.s1.e2.role`).
   */
  readonly path: string;
  /** Of another type than expected, longer than allowed, no date, nothing that a CV has, too many, or a guess. */
  readonly code: "wrong-type" | "shortened" | "not-a-date" | "no-place" | "too-many" | "uncertain";
  /** What the file has there, or its beginning; empty where it is no text. */
  readonly text: string;
};

/** More than a person reads. */
const findingsMax = 500;
const textCharsMax = 300;
const textIn = (value: unknown): string =>
  typeof value === "string" ? cleanLine(value).slice(0, textCharsMax).toWellFormed() : "";

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";
/** A month or year of a date in ISO 8601. */
const isoMonth = /^(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2]))?(?=-|T|$)/;

/** Reads values of unknown types; what cannot be taken over is a finding. */
export function openFindings() {
  const found: Finding[] = [];
  const dropped = (path: string, code: Finding["code"], text: unknown = ""): void => {
    if (found.length < findingsMax) found.push({ path, code, text: textIn(text) });
  };
  const cut = (text: string, path: string, most: number): string => {
    if (text.length <= most) return text;
    dropped(path, "shortened", text);
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
    /** An address, as it was typed. */
    address: (value: string, path: string): string =>
      cut(cleanLine(value), path, cvLimits.urlCharsMax),
    lines: (value: unknown, path: string): string[] =>
      list(value, path).map((item, index) => line(item, `${path}.${index}`)),
    paragraph: (value: unknown, path: string): RichText =>
      plainRuns(cut(text(value, path), path, cvLimits.richCharsMax)),
    /** A paragraph with its bold, italic and linked parts. */
    rich: (spans: readonly Span[], path: string): RichText =>
      RichText.safeParse(spans).data ??
      plainRuns(cut(cleanLine(plainOf([...spans])), path, cvLimits.richCharsMax)),
    /** A month or year of a date in ISO 8601. */
    month: (value: unknown, path: string): string => {
      const [month] = isoMonth.exec(text(value, path)) ?? [];
      if (month === undefined && !isEmpty(value)) dropped(path, "not-a-date", value);
      return month ?? "";
    },
    object: (value: unknown, path: string): Readonly<Record<string, unknown>> => {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
      if (!isEmpty(value)) dropped(path, "wrong-type");
      return {};
    },
  };
}

/** Reads values, and remembers what it could not take over. */
export type Read = Omit<ReturnType<typeof openFindings>, "findings">;
