import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { firstFaces } from "./first-faces.ts";

const style = (name: string): string =>
  readFileSync(new URL(`../styles/${name}.css`, import.meta.url), "utf8");

test("the faces asked for first are those that text and headings are set in", () => {
  const [, text] = /--text-font: (\w+),/.exec(style("tokens")) ?? [];
  const [, display] = /--display-font: ("[\w ]+"),/.exec(style("tokens")) ?? [];
  expect(firstFaces).toEqual([`1em ${text}`, `500 1em ${display}`]);
  for (const family of [text, display]) expect(style("fonts")).toContain(`font-family: ${family};`);
});
