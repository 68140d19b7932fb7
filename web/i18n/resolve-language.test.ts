import { locales } from "@pro-talent/schemas/primitives/locale";
import { describe, expect, test } from "vitest";

import { directionOf, languageOfTag, languages } from "./languages.ts";
import { resolveLanguage } from "./resolve-language.ts";

const nothing = { cookies: "", stored: null, preferred: [], browser: "" };

test("the languages are those of the contract", () => {
  expect(languages).toEqual(locales);
});

describe("the language of a visitor", () => {
  const cookies = [
    "",
    "preferred_language=he",
    "a=1; preferred_language=en",
    "preferred_language=fr",
  ];
  const stored = [null, "en", "he"];
  const browsers = [[], ["fr", "he-IL", "en"], ["iw"], ["en-GB", "he"]];
  const cases = cookies.flatMap((cookie) =>
    stored.flatMap((kept) => browsers.map((preferred) => ({ cookie, kept, preferred }))),
  );

  test.each(cases)('cookie "$cookie", kept $kept, browser $preferred', (given) => {
    const sources = { cookies: given.cookie, stored: given.kept, preferred: given.preferred };
    const fromCookie = given.cookie.match(/preferred_language=(en|he)/)?.[1];
    const fromBrowser = given.preferred.find((tag) => /^(en|he|iw)\b/.test(tag));
    const expected =
      fromCookie ?? given.kept ?? fromBrowser?.replace("iw", "he").slice(0, 2) ?? "en";
    expect(resolveLanguage({ ...sources, browser: "" })).toBe(expected);
  });

  test("is that of the browser when there is no list, and English when nothing is known", () => {
    expect(resolveLanguage({ ...nothing, browser: "he-IL" })).toBe("he");
    expect(resolveLanguage({ ...nothing, browser: "de" })).toBe("en");
  });
});

test("tags are read by their first part, and iw is Hebrew", () => {
  expect(languageOfTag("iw-IL")).toBe("he");
  expect(languageOfTag("HE")).toBe("he");
  expect(languageOfTag("hebrew")).toBeUndefined();
  expect(directionOf("he")).toBe("rtl");
  expect(directionOf("en")).toBe("ltr");
});
