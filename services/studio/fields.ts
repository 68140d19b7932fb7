import { plainOf } from "@pro-talent/schemas/studio/rich-text";

import type { Outline, OutlineEntry } from "./outline.ts";

/** A text that a file must contain as it is. */
export type Field = {
  /** Where it is from: `profile.email`, `sections.<id>.<entry id>.title`, `….bullets.2`. */
  readonly path: string;
  readonly text: string;
  /** Without it a reader cannot reach the person. */
  readonly isContact: boolean;
};

/** Whether the dates of an entry are read before its title or after it. */
export type DatesAt = "before" | "after";

/** Every text of a CV, in the order in which a file has them. */
export function fieldsOf(outline: Outline, datesAt: DatesAt = "after"): Field[] {
  const field = (path: string, text: string): Field => ({ path, text, isContact: false });
  const sections = outline.sections.flatMap(({ id, title, entries }) => [
    field(`sections.${id}.title`, title),
    ...entries.flatMap((entry) =>
      textsOf(entry, datesAt).map(([name, text]) =>
        field(`sections.${id}.${entry.id}.${name}`, text),
      ),
    ),
  ]);
  const contacts = outline.contacts.map(({ path, text }) => ({
    path,
    text,
    isContact: path !== "profile.place",
  }));
  return [
    field("profile.fullName", outline.name),
    field("profile.headline", outline.headline),
    ...contacts,
    ...sections,
  ].filter(({ text }) => text !== "");
}

function textsOf(entry: OutlineEntry, datesAt: DatesAt): (readonly [name: string, text: string])[] {
  const head = [["title", entry.title] as const, ["dates", entry.dates] as const];
  return [
    ...(datesAt === "before" ? head.toReversed() : head),
    ["subtitle", entry.subtitle],
    ["place", entry.place],
    ["link", entry.link?.text ?? ""],
    ["note", plainOf(entry.note)],
    ...entry.bullets.map((bullet, index) => [`bullets.${index}`, plainOf(bullet)] as const),
    ...entry.items.map((item, index) => [`items.${index}`, item] as const),
  ];
}
