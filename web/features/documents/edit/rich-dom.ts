import { cleanRun } from "@pro-talent/schemas/studio/clean-text";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { linkTarget } from "@pro-talent/schemas/studio/link";
import { joined, plainOf, type Run } from "@pro-talent/schemas/studio/runs";

type Marks = Omit<Run, "text">;
const none: Marks = { bold: false, italic: false, link: null };

function marksIn(element: Element, outer: Marks): Marks {
  switch (element.localName) {
    case "b":
    case "strong":
      return { ...outer, bold: true };
    case "i":
    case "em":
      return { ...outer, italic: true };
    case "a":
      return { ...outer, link: linkTarget(element.getAttribute("href") ?? "") };
    default:
      return outer;
  }
}

function runsIn(node: Node, marks: Marks): Run[] {
  if (node instanceof Text) return [{ ...marks, text: cleanRun(node.data) }];
  if (!(node instanceof Element)) return [];
  const inner = marksIn(node, marks);
  return [...node.childNodes].flatMap((child) => runsIn(child, inner));
}

/** What was typed into an editable element, in the form in which it is stored. */
export const readRuns = (element: Element): Run[] =>
  joined([...element.childNodes].flatMap((child) => runsIn(child, none)));

function nodeOf({ text, bold, italic, link }: Run): Node {
  let node: Node = document.createTextNode(text);
  const within = (name: "a" | "b" | "i"): HTMLElement => {
    const element = document.createElement(name);
    element.append(node);
    node = element;
    return element;
  };
  if (italic) within("i");
  if (bold) within("b");
  if (link !== null) within("a").setAttribute("href", link);
  return node;
}

/** The position of the caret in the text of an element; undefined when it is elsewhere. */
function caretIn(element: Element): number | undefined {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!element.contains(range.endContainer)) return undefined;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.endContainer, range.endOffset);
  return before.toString().length;
}

/** Puts the caret behind so many characters. */
export function placeCaret(element: Element, offset: number): void {
  let left = offset;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (left <= length) {
      getSelection()?.collapse(node, left);
      return;
    }
    left -= length;
  }
  getSelection()?.selectAllChildren(element);
  getSelection()?.collapseToEnd();
}

/** Shows runs in an editable element; the caret stays where it is. */
export function drawRuns(element: HTMLElement, runs: readonly Run[]): void {
  const caret = document.activeElement === element ? caretIn(element) : undefined;
  element.replaceChildren(...runs.map(nodeOf));
  if (caret !== undefined) placeCaret(element, Math.min(caret, plainOf(runs).length));
}

/** Whether more text has space in the element. */
export const hasSpace = (element: Element, more: number): boolean =>
  element.textContent.length + more <= cvLimits.richCharsMax;

/**
 * The browser's own commands, because only what they change can be undone within the field. They are called deprecated
 * without a successor, and every browser has them.
 */
export function command(name: "bold" | "italic" | "unlink"): void;
export function command(name: "createLink" | "insertText", value: string): void;
export function command(name: string, value?: string): void {
  // oxlint-disable-next-line typescript/no-deprecated -- see above
  document.execCommand(name, false, value);
}
