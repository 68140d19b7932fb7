import { expect, it } from "vitest";

import { pathProblems, strayDeclarations, textProblems, textRules } from "./text-rules.ts";
import { readVocabulary, vocabularyProblems } from "./vocabulary.ts";

/** Texts that break each rule, at a path where it applies. */
const broken: Record<string, [path: string, ...texts: string[]]> = {
  "a path of one machine": ["a.md", "/work/main/x", "`/home/dana/x`", "'/tmp/a'", "research/a.md"],
  "a package registry by its host name": ["a.md", '"resolved": "https:', "registry.npmjs.org"],
  "a note to oneself": ["a.ts", "// TODO later", "// FIXME"],
  "a conflict marker": ["a.md", "a\n<<<<<<< ours\nb"],
  "a test that may fail": ["a.test.ts", "it.fails(", 'it("a", { retry: 2 }, '],
  "a suppressed rule without its reason": ["a.ts", "/* oxlint-disable no-var -- why not */"],
  "an invisible character": ["a.tsx", "a\u202Eb", "a\u200Bb"],
  "a carriage return": ["a.md", "a\r\nb"],
};

it.each(textRules)("a text is refused for $name", ({ name }) => {
  const [path, ...texts] = broken[name] ?? ["", ""];
  for (const text of texts) expect(textProblems(path, text).join()).toContain(name);
});

it("a problem of a text has its line; a style sheet has a greatest length; the rest is allowed", () => {
  expect(textProblems("a.ts", "a\nb\n// TODO")).toEqual(["a.ts:3: a note to oneself (TODO)"]);
  expect(textProblems("a.css", "a\n".repeat(301))).toHaveLength(1);
  const text = "https://a.org/home/x ./tmp/x // oxlint-disable-line no-var -- it is shared here";
  expect(textProblems("a.ts", text)).toEqual([]);
});

it("a name is in kebab-case and says what is inside", () => {
  const refused = "a/utils.ts date-helpers.ts common/a.ts a/index.ts CamelCase.ts snake_case.ts";
  const good = "README.md .oxlintrc.json .ci/run Dockerfile 0001_event_store.sql b.read-model.ts";
  for (const path of refused.split(" ")) expect(pathProblems(path)).toHaveLength(1);
  expect(good.split(" ").flatMap(pathProblems)).toEqual([]);
  const paths = ["infra/a.ts", "infra/a.d.ts", "web/b.tsx", "web/b.d.ts", "web/vite-env.d.ts"];
  expect(strayDeclarations(paths)).toHaveLength(2);
});

const vocabulary = readVocabulary(`
## Words not used

| not used | instead | allowed |
| --- | --- | --- |
| shelf, is there to | cache | \`"shelf"\` |
| Holding | asset | |
| put:, put_ | upsert | put_sql |
| letter, letters | mail | cover letter |
`);

it("words that are not used are found in texts and names, other words are not", () => {
  const found = ["cardShelf", "SHELF_MAX", "card-shelf", "it is\n * there to", "LedgerHolding"];
  found.push("a letter", "{ put: 1 }", '{ "put": 1 }', "  put?: 1", "put_row()");
  const missed = found.filter((text) => vocabularyProblems(vocabulary, "a.ts", text).length !== 1);
  expect(missed).toEqual([]);
  const good = 'bookshelves "shelf" holding it has put: no put_sql newsletter coverLetters input:';
  expect(vocabularyProblems(vocabulary, "a.ts", good)).toEqual([]);
});

it("a word is reported with line and replacement, also in the name of a file", () => {
  const [first, second] = vocabularyProblems(vocabulary, "shelf.ts", "a\nshelf");
  expect(first).toBe('shelf.ts:0: "shelf" is not used; instead: cache');
  expect(second).toContain("shelf.ts:2:");
  expect(() => readVocabulary("# Glossary")).toThrow("words not used");
});
