import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, it } from "vitest";

import { readCatalogue } from "./catalogue.ts";
import { compareCatalogues } from "./translation-rules.ts";
import { unusedKeys } from "./unused-keys.ts";

const directory = mkdtempSync(join(tmpdir(), "translations-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Texts = Record<string, string>;
const problemsOf = (en: Texts, he: Texts): string =>
  compareCatalogues(new Map(Object.entries(en)), new Map(Object.entries(he))).join("; ");

it("two catalogues of the same texts have no problem", () => {
  const en = { "a:b_one": "{{count}} visit.", "a:b_other": "{{count}} visits.", "a:c": "About" };
  const he = {
    "a:b_one": "ביקור אחד.",
    "a:b_two": "שני ביקורים.",
    "a:b_other": "{{count}} ביקורים.",
  };
  expect(problemsOf(en, { ...he, "a:c": "אודות Pro Talent" })).toBe("");
});

it.each<[problem: string, en: string, he: string]>([
  ["other placeholders", "Hi {{name}}", "שלום"],
  ["other placeholders", "Go <b>now</b>", "עכשיו"],
  ["other punctuation", "Yes.", "כן"],
  ["he a:b has untranslated words", "All good", "All good"],
  ["he a:b has a straight quotation mark", "NIS", 'ש"ח'],
  ["he a:b has a hyphen for a maqaf", "In 14 days", "ב-14 ימים"],
  ["he a:b has vowel points", "Peace", "שָׁלוֹם"],
  ["en a:b has Hebrew in English", "כן", "כן"],
  ["en a:b has a straight quotation mark", "Don't", "לא"],
  ["en a:b is empty", "", "כן"],
  ["en a:b has a stray space", "Yes .", "כן."],
  ["en a:b shouts", "Yes!!", "כן!"],
  ["en a:b has unpaired brackets", "Yes (no", "כן"],
])("report: %s", (problem, en, he) => {
  expect(problemsOf({ "a:b": en }, { "a:b": he })).toContain(problem);
});

it("a missing text and a missing plural form are reported", () => {
  expect(problemsOf({ "a:b": "Yes" }, { "a:c": "כן" })).toContain('he a:b: forms "none"');
  const plural = { "a:b_one": "One", "a:b_other": "All" };
  expect(problemsOf(plural, plural)).toContain('he a:b: forms "one,other", not "one,other,two"');
});

it.each([
  ["Map keys must be unique", '{ "a": "Yes", "a": "No" }'],
  ["site:a is not a text", '{ "a": 1 }'],
])("an unreadable catalogue is an error: %s", (message, text) => {
  const folder = mkdtempSync(join(directory, "en-"));
  expect(() => readCatalogue(folder)).toThrow("no text");
  writeFileSync(join(folder, "site.json"), text);
  expect(() => readCatalogue(folder)).toThrow(message);
});

it("keys that no source has as a string are reported", () => {
  const source =
    "const { t } = useTranslation('a'); t('b'); t(`plans.${code}.name`); ({ label: 'nav.c' }); t('faq.items', { returnObjects: true })";
  mkdirSync(join(directory, "web"));
  writeFileSync(join(directory, "web/page.tsx"), source);
  const used = ["a:b", "a:plans.free.name", "other:nav.c", "a:faq.items.cost.answer"];
  const unused = ["other:b", "a:nav.d", "a:plans.free", "a:faq.title"];
  expect(unusedKeys(new Set([...used, ...unused, "other:x"]), directory)).toEqual([
    ...unused,
    "other:x",
  ]);
});
