import { CvDocument } from "@pro-talent/schemas/studio/document";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import fc from "fast-check";
import { expect, test } from "vitest";

import { valueAt } from "./document-at.ts";
import {
  add,
  type Edit,
  kinds,
  move,
  newBullet,
  newEntry,
  newSection,
  put,
  remove,
} from "./edits.ts";

const empty = readCvDocument({ version: 1, language: "he", page: {}, profile: { fullName: "" } });
const idsIn = (document: CvDocument): string[] => document.sections.map(({ id }) => id);

test("every section, entry and point that can be added is part of a document that is accepted as it is", () => {
  for (const kind of kinds) {
    const section = newSection(kind);
    const added = add("sections", section)(empty);
    const more = add(`sections/${section.id}/entries`, newEntry(kind))(added);
    expect(CvDocument.parse(more)).toEqual(more);
    expect(JSON.stringify(CvDocument.parse(more))).toBe(JSON.stringify(more));
  }
});

test("a point is added behind the one that it follows, moved, changed and removed; nothing beside it is touched", () => {
  const [section, other] = [newSection("experience"), newSection("education")];
  const document = [add("sections", section), add("sections", other)].reduce(
    (before, edit: Edit) => edit(before),
    empty,
  );
  const list = `sections/${section.id}/entries`;
  const [entry] = document.sections[0]?.entries ?? [];
  const bullets = `${list}/${entry?.id}/bullets`;
  const [one, two] = [newBullet(), newBullet()];
  const edited = [
    add(bullets, one),
    add(bullets, two, one.id),
    move(bullets, two.id, 0),
    put(`${bullets}/${one.id}/text`, [{ text: "Led", bold: false, italic: false, link: null }]),
  ].reduce((before, edit) => edit(before), document);
  expect(valueAt(edited, bullets)).toMatchObject([
    { id: two.id },
    { id: one.id, text: [{ text: "Led" }] },
  ]);
  expect(edited.sections[1]).toBe(document.sections[1]);
  expect(valueAt(remove(`${bullets}/${two.id}`)(edited), bullets)).toMatchObject([{ id: one.id }]);
});

test("moves keep every section and put the moved one in its place", () => {
  const sections = kinds.map((kind) => Object.assign(newSection(kind), { id: kind }));
  const all = sections.reduce((document, section) => add("sections", section)(document), empty);
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.integer({ min: -2, max: 12 }), (id, to) => {
      const moved = idsIn(move("sections", id, to)(all));
      expect(moved.toSorted()).toEqual(idsIn(all).toSorted());
      expect(moved.indexOf(id)).toBe(Math.min(Math.max(0, to), kinds.length - 1));
    }),
  );
});
