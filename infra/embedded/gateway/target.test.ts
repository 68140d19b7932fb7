import fc from "fast-check";
import { expect, test } from "vitest";

import { readTarget } from "./target.ts";

const spelled = (word: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom("plain", "upper", "percent"), {
      minLength: word.length,
      maxLength: word.length,
    })
    .map((styles) =>
      word
        .split("")
        .map((character, index) => {
          if (styles[index] === "upper") return character.toUpperCase();
          if (styles[index] === "percent") return `%${character.charCodeAt(0).toString(16)}`;
          return character;
        })
        .join(""),
    );

const slash = fc.constantFrom(
  "/",
  "//",
  "/./",
  "/x/../",
  "%2f",
  "%2F",
  "\\",
  "/%2e/",
  "/a/%2e%2e/",
);

test("no spelling of a private path is taken for a public one", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("internal", "metrics").chain(spelled),
      slash,
      fc.constantFrom("", "/", "/anything", "%2Fanything", "?query", "//x"),
      (word, before, after) => {
        expect(readTarget(`/${before}${word}${after}`)).toMatchObject({ isPrivate: true });
      },
    ),
  );
});

test("public paths that only resemble private ones stay public", () => {
  for (const path of [
    "/",
    "/internals",
    "/api/internal",
    "/about?next=/internal",
    "/metrics.html",
  ]) {
    expect(readTarget(path)).toMatchObject({ isPrivate: false });
  }
});

test("Hebrew and other encoded words are read as the services read them", () => {
  expect(readTarget("/%D7%A9%D7%9C%D7%95%D7%9D?q=1")).toEqual({ path: "/שלום", isPrivate: false });
});

test("a target that is not a path of this origin is malformed", () => {
  for (const target of ["*", "", "http://localhost/internal", "/%", "/%zz", "/%ff"]) {
    expect(readTarget(target)).toBe("malformed");
  }
});
