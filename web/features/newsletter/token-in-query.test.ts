import { NewsletterToken } from "@pro-talent/schemas/newsletter/calls";
import fc from "fast-check";
import { expect, test } from "vitest";

import { tokenInQuery } from "./token-in-query.ts";

test.each([
  ["?token=abc_DEF-123", "abc_DEF-123"],
  ["?lang=he&token=abc", "abc"],
  ["?token=abc&utm_source=mail", "abc"],
])("%s carries %s", (search, token) => {
  expect(tokenInQuery(search)).toBe(token);
});

test.each(["", "?token=", "?token=a%20b", "?token=%3Cb%3E", `?token=${"a".repeat(201)}`])(
  '"%s" carries none',
  (search) => {
    expect(tokenInQuery(search)).toBeUndefined();
  },
);

test("takes exactly what the contract takes", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const found = tokenInQuery(`?token=${encodeURIComponent(text)}`);
      expect(found !== undefined).toBe(NewsletterToken.safeParse(text).success);
    }),
  );
});
