import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { firstFaces } from "./first-faces.ts";

const style = (name: string): string =>
  readFileSync(new URL(`../styles/${name}.css`, import.meta.url), "utf8");

test("the faces asked for first are those that text and headings are set in", () => {
  for (const [index, token] of ["text", "display"].entries()) {
    const [, stack] = new RegExp(`--${token}-font:\\s+([^;]+);`).exec(style("tokens")) ?? [];
    const [, asked] = /1em (.+)$/.exec(firstFaces[index] ?? "") ?? [];
    expect(stack?.startsWith(`${asked}, `)).toBe(true);
    for (const family of asked?.split(", ") ?? []) {
      expect(style("fonts")).toContain(`font-family: ${family};`);
    }
  }
});

test("each face is a family of its own, so that the browser creates no unneeded fallbacks", () => {
  const families = [...style("fonts").matchAll(/font-family: ([^;]+);/g)].map(([, name]) => name);
  expect(families).toHaveLength(8);
  expect(new Set(families).size).toBe(families.length);
});
