import { expect, test } from "vitest";

import { localeOfTag } from "./language-tag.ts";
import { locales } from "./locale.ts";

test("every language of the product is its own tag", () => {
  expect(locales.map((locale) => localeOfTag(locale))).toEqual(locales);
});

test.each([
  ["HE", "he"],
  ["he-IL", "he"],
  ["iw", "he"],
  ["IW-il", "he"],
  ["en_GB", "en"],
  [" en-US", "en"],
  ["hebrew", undefined],
  ["fr", undefined],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
])("the tag %s is %s", (tag, locale) => {
  expect(localeOfTag(tag)).toBe(locale);
});
