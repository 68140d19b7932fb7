import fc from "fast-check";
import { expect, test } from "vitest";

import { CvDocument } from "./document.ts";
import { mergeDocuments } from "./merge.ts";

const document = (values: object = {}): CvDocument =>
  CvDocument.parse({ version: 1, language: "en", page: {}, profile: {}, ...values });
const entry = (id: string, values: object = {}) => ({ id, role: `Role ${id}`, ...values });
const withEntries = (...entries: object[]): CvDocument =>
  document({ sections: [{ id: "s", kind: "experience", entries }] });
const idsOf = (value: unknown): string[] =>
  CvDocument.parse(value).sections.flatMap(({ entries }) => entries.map(({ id }) => id));

test("fields that only one side changed are taken over from both", () => {
  const base = document();
  const theirs = document({ profile: { fullName: "Noa Levi" } });
  const mine = document({ profile: { phone: "03-5555555" }, page: { accent: "teal" } });
  const { merged, conflicts } = mergeDocuments(base, theirs, mine);
  expect(merged).toEqual(
    document({ profile: { fullName: "Noa Levi", phone: "03-5555555" }, page: { accent: "teal" } }),
  );
  expect(conflicts).toEqual([]);
});

test("a field that both changed keeps mine, and the conflict names both", () => {
  const theirs = withEntries(entry("a", { role: "Nurse" }));
  const mine = withEntries(entry("a", { role: "Head nurse" }));
  const { merged, conflicts } = mergeDocuments(withEntries(entry("a")), theirs, mine);
  expect(merged).toEqual(mine);
  expect(conflicts).toEqual([
    { path: "sections/s/entries/a/role", theirs: "Nurse", mine: "Head nurse" },
  ]);
});

test("entries that both sides added are all there, each after the one that it followed", () => {
  const base = withEntries(entry("a"), entry("b"));
  const theirs = withEntries(entry("a"), entry("t"), entry("b"));
  const mine = withEntries(entry("m"), entry("a"), entry("b"));
  const { merged, conflicts } = mergeDocuments(base, theirs, mine);
  expect(idsOf(merged)).toEqual(["m", "a", "t", "b"]);
  expect(conflicts).toEqual([]);
});

test("an order that one side changed is taken over, with what the other side added", () => {
  const base = withEntries(entry("a"), entry("b"), entry("c"));
  const theirs = withEntries(entry("a"), entry("b"), entry("c"), entry("t"));
  const mine = withEntries(entry("c"), entry("b"), entry("a"));
  expect(idsOf(mergeDocuments(base, theirs, mine).merged)).toEqual(["c", "t", "b", "a"]);
});

test("an entry that one side deleted is gone, unless the other edited it", () => {
  const base = withEntries(entry("a"), entry("b"));
  const without = withEntries(entry("a"));
  expect(idsOf(mergeDocuments(base, without, base).merged)).toEqual(["a"]);
  const edited = withEntries(entry("a"), entry("b", { role: "Welder" }));
  const { merged, conflicts } = mergeDocuments(base, without, edited);
  expect(merged).toEqual(edited);
  expect(conflicts.map(({ path, theirs }) => [path, theirs])).toEqual([
    ["sections/s/entries/b", null],
  ]);
});

test("an entry that one side moved and the other edited stands where mine has it, and the edit is a conflict", () => {
  const sections = (first: object[], second: object[]) =>
    document({
      sections: [
        { id: "s", kind: "experience", entries: first },
        { id: "u", kind: "experience", entries: second },
      ],
    });
  const base = sections([entry("a")], []);
  const theirs = sections([entry("a", { role: "Welder" })], []);
  const mine = sections([], [entry("a")]);
  const { merged, conflicts } = mergeDocuments(base, theirs, mine);
  expect(merged).toEqual(mine);
  expect(conflicts).toContainEqual(
    expect.objectContaining({
      path: "sections/s/entries/a",
      theirs: expect.objectContaining({ role: "Welder" }),
    }),
  );
  expect(mergeDocuments(base, merged, mine).merged).toEqual(mine);
});

const words = fc.constantFrom("", "nurse", "אחות", "C++ ₪");
const entries = fc.uniqueArray(
  fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e"), role: words, place: words }),
  { selector: ({ id }) => id },
);
const sides = fc.constantFrom("s", "u");
const documents = fc
  .tuple(entries, fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), sides), words)
  .map(([list, sections, fullName]) => {
    const isSecond = ({ id }: { id: string }) => sections[id] === "u";
    const first = experience(
      "s",
      list.filter((one) => !isSecond(one)),
    );
    return document({
      profile: { fullName },
      sections: [first, experience("u", list.filter(isSecond))],
    });
  });
const experience = (id: string, list: object[]) => ({ id, kind: "experience", entries: list });

test("the merge is a document, and the same change sent again changes nothing", () => {
  fc.assert(
    fc.property(documents, documents, documents, (base, theirs, mine) => {
      const { merged } = mergeDocuments(base, theirs, mine);
      const saved = CvDocument.parse(merged);
      expect(saved).toEqual(merged);
      const again = mergeDocuments(base, saved, mine);
      expect([...idsOf(again.merged)].toSorted()).toEqual([...idsOf(saved)].toSorted());
      expect(mergeDocuments(base, base, mine).merged).toEqual(mine);
      expect(mergeDocuments(base, theirs, base).merged).toEqual(theirs);
    }),
  );
});

test("no text of either side is lost: it is in the document or in a conflict, unless its side gave it up", () => {
  fc.assert(
    fc.property(documents, documents, documents, (base, theirs, mine) => {
      const { merged, conflicts } = mergeDocuments(base, theirs, mine);
      const known = new Set(idsOf(merged));
      const [before, their, my] = [idsOf(base), idsOf(theirs), idsOf(mine)];
      for (const id of new Set([...their, ...my])) {
        const isGivenUp = before.includes(id) && !(their.includes(id) && my.includes(id));
        expect(known.has(id) || isGivenUp).toBe(true);
      }
      for (const { path } of conflicts) expect(path).not.toBe("");
    }),
  );
});
