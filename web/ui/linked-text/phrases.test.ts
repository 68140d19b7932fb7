import { expect, test } from "vitest";

import { cutAtPhrases } from "./phrases.ts";

const links = [
  { text: "Privacy Policy", href: "/privacy" },
  { text: "Terms", href: "/terms" },
];

test("phrases become links and the text stays the same", () => {
  const text = "I accept the Privacy Policy and Terms.";
  const parts = cutAtPhrases(text, links);
  expect(parts.map((part) => part.text).join("")).toBe(text);
  expect(parts.map((part) => part.href)).toEqual([
    undefined,
    "/privacy",
    undefined,
    "/terms",
    undefined,
  ]);
});

test("a phrase that the text does not have is left out", () => {
  expect(cutAtPhrases("Nothing to link", links)).toEqual([
    { text: "Nothing to link", href: undefined },
  ]);
});
