/** Text with the same marks from its beginning to its end. */
export type Run = {
  text: string;
  bold: boolean;
  italic: boolean;
  /** Where it leads, in canonical form (`linkTarget`). */
  link: string | null;
};

const sameMarks = (one: Run, other: Run): boolean =>
  one.bold === other.bold && one.italic === other.italic && one.link === other.link;

/** The same text in the fewest runs, without spaces at its ends and without repeated ones. */
export function joined(runs: readonly Run[]): Run[] {
  const kept: Run[] = [];
  for (const run of runs) {
    const last = kept.at(-1);
    const startsAnew = last === undefined || last.text.endsWith(" ");
    const text = run.text
      .replaceAll(/ {2,}/g, " ")
      .slice(startsAnew && run.text[0] === " " ? 1 : 0);
    if (text === "") continue;
    if (last !== undefined && sameMarks(last, run)) last.text += text;
    else kept.push({ ...run, text });
  }
  const end = kept.at(-1);
  if (end !== undefined) end.text = end.text.trimEnd();
  return end?.text === "" ? kept.slice(0, -1) : kept;
}

/** The text alone. */
export const plainOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");
