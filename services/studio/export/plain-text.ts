import { plainOf } from "@pro-talent/schemas/studio/rich-text";

import type { Outline, OutlineEntry } from "../outline.ts";

/** A CV as plain text, for forms that take no file: one fact on each line, in the order of the page. */
export function plainTextOf({ name, headline, contacts, sections }: Outline): string {
  const head = [name, headline, ...contacts.map(({ text }) => text)];
  const blocks = sections.map(({ title, entries }) =>
    [title, ...entries.map(entryText)].filter((part) => part !== "").join("\n"),
  );
  return `${[head.filter((line) => line !== "").join("\n"), ...blocks].join("\n\n")}\n`;
}

function entryText(entry: OutlineEntry): string {
  const items = entry.items.join(", ");
  const title =
    entry.title === "" || items === "" ? entry.title + items : `${entry.title}: ${items}`;
  const lines = [
    title,
    entry.subtitle,
    entry.place,
    entry.dates,
    entry.link?.text ?? "",
    plainOf(entry.note),
    ...entry.bullets.map((bullet) => `- ${plainOf(bullet)}`),
  ];
  return lines.filter((line) => line !== "").join("\n");
}
