import { isSignedInPath } from "@pro-talent/schemas/site/signed-in-paths";
import { assert, constantFrom, array, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";

import { firstPage, nextPath, nextToMail } from "./next-path.ts";

test.each([
  "/dashboard",
  "/links/7?days=30#opens",
  "/account/security",
  "/checkout?plan=premium&cycle=annual",
])("a page of the area is where the sign-in leads: %s", (next) => {
  expect(nextPath(next)).toBe(next);
});

const elsewhere = [
  "",
  "dashboard",
  "//evil.example/dashboard",
  "/\\evil.example/dashboard",
  "\\\\evil.example",
  "/\t/evil.example/dashboard",
  "/\n/evil.example",
  "/./%09//evil.example",
  "/.//evil.example/dashboard",
  "/dashboard/..//evil.example",
  "/%2F%2Fevil.example",
  "/%5Cevil.example",
  "https://evil.example/dashboard",
  "https:/evil.example",
  "javascript:alert(1)",
  "/https://evil.example",
  "//user@evil.example/dashboard",
  "/login?next=/dashboard",
  "/join#token=1",
  "/l/abc",
];
test.each(elsewhere)("everything else leads to the first page, in a mail too: %j", (next) => {
  expect(nextPath(next)).toBe(firstPage);
  expect(nextToMail(new URLSearchParams({ next }))).toEqual({ next: firstPage });
});

test("without a request for a page the sign-in leads to the first one, and a mail names none", () => {
  expect(nextPath(null)).toBe(firstPage);
  expect(nextToMail(new URLSearchParams())).toEqual({});
});

const piece = oneof(
  constantFrom("/", "\\", "//", "..", ".", "%2f", "%5C", "\t", "\n", "@", ":", "?", "#", "https:"),
  constantFrom("evil.example", "dashboard", "account", "login", "javascript:", "%09"),
  string({ maxLength: 4 }),
);

test("whatever is named, the browser stays on this site and in the area", () => {
  assert(
    property(array(piece, { maxLength: 8 }), (pieces) => {
      const { origin, pathname } = new URL(nextPath(`/${pieces.join("")}`), "https://own.example");
      expect(origin).toBe("https://own.example");
      expect(isSignedInPath(pathname)).toBe(true);
      expect(pathname).not.toBe("/login");
    }),
    { numRuns: 2_000 },
  );
});
