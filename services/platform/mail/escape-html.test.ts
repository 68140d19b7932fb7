import fc from "fast-check";
import { expect, test } from "vitest";

import { escapeHtml, linkTarget } from "./escape-html.ts";
import { visibleText } from "./visible-text.ts";

const decode = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

test("text stays what it is, and is never markup", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(?:lt|gt|quot|#39|amp);)/);
      expect(decode(escapeHtml(text))).toBe(visibleText(text));
    }),
  );
});

test("a link cannot end the attribute it stands in", () => {
  expect(linkTarget('https://example.com/"><b>#"><b>')).toBe(
    "https://example.com/%22%3E%3Cb%3E#%22%3E%3Cb%3E",
  );
});
