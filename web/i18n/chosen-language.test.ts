import { locales } from "@pro-talent/schemas/primitives/locale";
import { expect, test } from "vitest";

import { languageFromCookies, languageUnknownToServer } from "./chosen-language.ts";
import { directionOf, isLanguage, languages, otherLanguage } from "./languages.ts";

test("the languages are those of the contract", () => {
  expect(languages).toEqual(locales);
  expect(languages.map(otherLanguage)).toEqual(["he", "en"]);
  expect(languages.map(directionOf)).toEqual(["ltr", "rtl"]);
  expect(isLanguage("fr")).toBe(false);
});

test.each([
  ["", undefined],
  ["preferred_language=he", "he"],
  ["a=1; preferred_language=en; b=2", "en"],
  ["preferred_language=fr", undefined],
  ["not_preferred_language=he", undefined],
])('the cookies "%s" say %s', (cookies, language) => {
  expect(languageFromCookies(cookies)).toBe(language);
});

test.each([
  ["", null, undefined],
  ["", "he", "he"],
  ["", "fr", undefined],
  ["preferred_language=en", "he", undefined],
  ["preferred_language=fr", "he", "he"],
])('with the cookies "%s" and %s in storage, the server lacks %s', (cookies, stored, language) => {
  expect(languageUnknownToServer(cookies, stored)).toBe(language);
});
