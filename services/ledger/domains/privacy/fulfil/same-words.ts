import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import type { Redaction } from "@pro-talent/schemas/privacy/redaction";

import type { Entry } from "./collected-copy.ts";
import { textsOf } from "./redact.ts";

/** Places that are named at most. */
const placesMax = 50;
/** Shorter words stand everywhere. */
const charsMin = 3;

const isOf = ({ store, entry }: Entry, redaction: Redaction): boolean =>
  redaction.store === store && redaction.entry === entry;

/**
 * Where the words of redactions stand once more and are not withheld: what is withheld in one place is no
 * secret as long as another one shows it.
 * @param open reads the collected entries from the beginning
 */
export async function sameWords(
  open: () => AsyncIterable<Entry>,
  redactions: readonly Redaction[],
): Promise<Redaction[]> {
  const words = new Map<string, Redaction["reason"]>();
  for await (const entry of open())
    for (const one of redactions.filter((redaction) => isOf(entry, redaction)))
      for (const text of textsOf(entry.record, one))
        if (text.trim().length >= charsMin) words.set(text.trim(), one.reason);
  const found: Redaction[] = [];
  if (words.size === 0) return found;
  for await (const entry of open()) {
    const own = redactions.filter((redaction) => isOf(entry, redaction));
    found.push(...placesIn(entry, words).filter((place) => !own.some((one) => covers(one, place))));
    if (found.length >= placesMax) break;
  }
  return found.slice(0, placesMax);
}

function placesIn(
  { store, entry, record }: Entry,
  words: ReadonlyMap<string, Redaction["reason"]>,
): Redaction[] {
  const values: readonly HeldRecord[number][] = record;
  return values.flatMap((one, value) => {
    if (!("text" in one)) return [];
    return [...words].flatMap(([word, reason]) =>
      startsOf(one.text, word).map((from) => {
        return { store, entry, value, span: { from, to: from + word.length }, reason };
      }),
    );
  });
}

function startsOf(text: string, word: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    starts.push(at);
  return starts;
}

const covers = (redaction: Redaction, { value, span }: Redaction): boolean =>
  redaction.value === null ||
  (redaction.value === value &&
    (redaction.span === null ||
      (span !== null && redaction.span.from < span.to && span.from < redaction.span.to)));
