import { expect, test } from "vitest";

import { emailInQuery } from "./email-in-query.ts";

test.each([
  ["?email=noa%40example.com", "noa@example.com"],
  ["?email=noa@example.com&utm_source=mail", "noa@example.com"],
  ["?email=noa+jobs@example.com", "noa+jobs@example.com"],
])("%s shows %s", (search, email) => {
  expect(emailInQuery(search)).toBe(email);
});

test.each([
  "",
  "?email=",
  "?email=noa",
  "?email=<b>@example.com",
  "?email=call%20555@example.com",
  "?email=a%E2%80%AE@example.com",
  `?email=${"a".repeat(300)}@example.com`,
])('"%s" shows nothing', (search) => {
  expect(emailInQuery(search)).toBeUndefined();
});
