import { shortened, visibleLine } from "./visible-text.ts";

/** Longer subjects are cut off by mail programs anyway. */
export const subjectCharsMax = 200;

/** A subject as it may stand in a header: one line that shows what it says. */
export function subjectLine(subject: string): string {
  return shortened(visibleLine(subject), subjectCharsMax);
}
