import { useTranslation } from "react-i18next";

/** A line of two texts laid over each other: in both, only in the earlier, or only in the later. */
export type DifferenceLine = { kind: "kept" | "removed" | "added"; text: string };

/** Beyond so many compared pairs of lines, what differs is stated as a whole. */
const pairsMax = 4_000_000;

const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/\r\n|\r|\n/u));

/** Lengths of the longest common subsequences of the ends of two lists, row after row. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      const below = lengths[at + width] ?? 0;
      const beside = lengths[at + 1] ?? 0;
      lengths[at] =
        before[row] === after[column]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(below, beside);
    }
  return lengths;
}

const ofKind =
  (kind: DifferenceLine["kind"]) =>
  (text: string): DifferenceLine => ({ kind, text });

/** What differs between two lists that begin and end differently. */
function middle(before: readonly string[], after: readonly string[]): DifferenceLine[] {
  if (before.length * after.length > pairsMax)
    return [...before.map(ofKind("removed")), ...after.map(ofKind("added"))];
  const lengths = commonLengths(before, after);
  const width = after.length + 1;
  const lines: DifferenceLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [earlier, later] = [before[row], after[column]];
    const at = row * width + column;
    if (earlier !== undefined && earlier === later) {
      lines.push({ kind: "kept", text: earlier });
      row += 1;
      column += 1;
    } else if (
      earlier !== undefined &&
      (later === undefined || (lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0))
    ) {
      lines.push({ kind: "removed", text: earlier });
      row += 1;
    } else {
      lines.push({ kind: "added", text: later ?? "" });
      column += 1;
    }
  }
  return lines;
}

/**
 * The lines of two texts in one list, with as many kept as possible. Without the added lines it is the
 * earlier text, without the removed ones the later.
 */
export function lineDifference(earlier: string, later: string): DifferenceLine[] {
  const [before, after] = [linesOf(earlier), linesOf(later)];
  const shortest = Math.min(before.length, after.length);
  let begin = 0;
  while (begin < shortest && before[begin] === after[begin]) begin += 1;
  let end = 0;
  while (end < shortest - begin && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const kept = ofKind("kept");
  return [
    ...before.slice(0, begin).map(kept),
    ...middle(before.slice(begin, before.length - end), after.slice(begin, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ];
}

type DifferenceProps = {
  /** Names the two texts. */
  label: string;
  earlier: string;
  later: string;
};

const marks = { kept: " ", removed: "−", added: "+" } as const;

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

/** Two texts laid over each other, line by line; code goes from left to right in every language. */
export function Difference({ label, earlier, later }: DifferenceProps) {
  const { t } = useTranslation("analyst-work");
  const lines = lineDifference(earlier, later).map((line, at) => ({ ...line, at }));
  const count = (kind: "added" | "removed"): number =>
    lines.filter((line) => line.kind === kind).length;
  const changed = (["removed", "added"] as const).filter((kind) => count(kind) > 0);
  return (
    <div className="difference">
      <p className="work-quiet">
        {changed.length === 0
          ? t("versions.same")
          : changed.map((kind) => t(`versions.${kind}`, { count: count(kind) })).join(" · ")}
      </p>
      <div className="difference__lines" dir="ltr" aria-label={label} {...scrollRegion}>
        {lines.map(({ kind, text, at }) => (
          <div key={at} className="difference__line" data-kind={kind}>
            <span className="difference__mark" aria-hidden="true">
              {marks[kind]}
            </span>
            {kind !== "kept" && (
              <span className="visually-hidden">{t(`versions.line.${kind}`)} </span>
            )}
            <code>{text}</code>
          </div>
        ))}
      </div>
    </div>
  );
}
