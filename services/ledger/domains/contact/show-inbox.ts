import type { InboxEntry } from "./read-inbox.ts";
import { showHidden, showHiddenInLines } from "./show-hidden.ts";

const erased = "(erased)";
const lineCharsMax = 100;

/** A message in two lines. */
export function showInList({ receivedAt, fact, letter }: InboxEntry): string {
  const head = `${fact.reference}  ${shownTime(receivedAt)}  ${fact.category}`;
  if (letter === undefined) return `${head}  ${erased}`;
  const from = `${showHidden(letter.name)} <${showHidden(letter.email)}>`;
  const [first = ""] = showHiddenInLines(letter.message).split("\n", 1);
  const subject = letter.subject === fact.category ? "" : `${showHidden(letter.subject)}: `;
  return `${head}  ${from}\n    ${shortened(subject + first)}`;
}

/** A message with everything that came with it. */
export function showWhole({ receivedAt, fact, letter }: InboxEntry): string {
  const facts = [
    ["Reference", fact.reference],
    ["Received", shownTime(receivedAt)],
    ["Category", fact.category],
    ["Language", fact.language],
    ["Acknowledged", fact.acknowledged ? "yes" : "no"],
    ["Suspected", fact.suspected ? "yes, sent faster than people write" : "no"],
    ...(letter === undefined
      ? []
      : [
          ["Name", showHidden(letter.name)],
          ["Address", showHidden(letter.email)],
          ["Subject", showHidden(letter.subject)],
        ]),
  ];
  const lines = facts.map(([term = "", value = ""]) => `${term.padEnd(14)}${value}`);
  const text = letter === undefined ? erased : showHiddenInLines(letter.message);
  return [...lines, "", text].join("\n");
}

function shownTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

/** Cut between characters as readers see them, so that no half of one is left. */
function shortened(text: string): string {
  const characters = [...new Intl.Segmenter().segment(text)];
  return characters.length > lineCharsMax
    ? `${characters
        .slice(0, lineCharsMax)
        .map(({ segment }) => segment)
        .join("")}…`
    : text;
}
