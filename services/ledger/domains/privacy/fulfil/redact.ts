import type { HeldRecord, HeldValue } from "@pro-talent/schemas/privacy/held-data";
import type { Redaction, RedactionReason } from "@pro-talent/schemas/privacy/redaction";

/** What stands in the place of what is withheld, in the language of the package. */
export type Mark = (reason: RedactionReason) => string;

const isLow = (unit: number): boolean => unit >= 0xdc_00 && unit <= 0xdf_ff;
/** Whether a text can be cut there without breaking a character in two. */
const isCuttable = (text: string, at: number): boolean =>
  at <= text.length && !(at > 0 && at < text.length && isLow(text.charCodeAt(at)));

/** Whether a redaction of this entry withholds something that is there. */
export function fits(record: HeldRecord, { value, span }: Redaction): boolean {
  if (value === null) return span === null;
  const place = record[value];
  if (place === undefined) return false;
  if (span === null) return true;
  return (
    "text" in place &&
    isCuttable(place.text, span.from) &&
    span.to <= place.text.length &&
    isCuttable(place.text, span.to)
  );
}

/** The text that a redaction takes out of an entry; none of what is no text. */
export const textsOf = (record: HeldRecord, { value, span }: Redaction): readonly string[] =>
  (value === null ? record : record.slice(value, value + 1)).flatMap((one) => {
    if (!("text" in one) || one.text === "") return [];
    return [span === null ? one.text : one.text.slice(span.from, span.to)];
  });

/** An entry without what is withheld of it. @param redactions of this entry alone, none overlapping */
export function redacted(
  record: HeldRecord,
  redactions: readonly Redaction[],
  mark: Mark,
): HeldRecord {
  const [first] = record;
  const whole = redactions.find(({ value }) => value === null);
  if (whole !== undefined && first !== undefined)
    return [{ field: first.field, text: mark(whole.reason) }];
  return record.map((value, place) =>
    withoutPassages(
      value,
      redactions.filter((one) => one.value === place),
      mark,
    ),
  );
}

function withoutPassages(
  value: HeldValue,
  redactions: readonly Redaction[],
  mark: Mark,
): HeldValue {
  const whole = redactions.find(({ span }) => span === null);
  if (whole !== undefined) return { field: value.field, text: mark(whole.reason) };
  if (!("text" in value)) return value;
  // From the end on, so that the places before stay where they are.
  const passages = redactions
    .flatMap(({ span, reason }) => (span === null ? [] : [{ ...span, reason }]))
    .toSorted((a, b) => b.from - a.from);
  const text = passages.reduce(
    (rest, { from, to, reason }) => rest.slice(0, from) + mark(reason) + rest.slice(to),
    value.text,
  );
  return { field: value.field, text };
}
