import { locales } from "@pro-talent/schemas/primitives/locale";
import { expect, test } from "vitest";

import { languageFromCookies, languageOfBrowser } from "./chosen-language.ts";
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
  ["preferred_language=HE", "he"],
  ["preferred_language=iw", "he"],
  ["preferred_language=he-IL", "he"],
  ["a=1; preferred_language=en; b=2", "en"],
  ["preferred_language=fr", undefined],
  ["preferred_language=fr; preferred_language=he", "he"],
  ["not_preferred_language=he", undefined],
])('the cookies "%s" say %s', (cookies, language) => {
  expect(languageFromCookies(cookies)).toBe(language);
});

test("a browser asks for the first of its languages that the product has", () => {
  expect(languageOfBrowser(["fr-FR", "iw-IL", "en"])).toBe("he");
  expect(languageOfBrowser(["en-GB", "he"])).toBe("en");
  expect(languageOfBrowser(["fr", "de"])).toBeUndefined();
});
