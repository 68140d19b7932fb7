import { describe, expect, test } from "vitest";

import { isMailbox, looksLikeEmail } from "./email-shape.ts";

test.each([
  "noa@example.com",
  "a+b@mail.example.co.il",
  "o'brien@example.org",
  "נועה@example.com",
  "noa@דוגמה.קום",
  "noa@xn--6dbbec0c.xn--9dbq2a",
  "a.b.c@1and1.example",
  `${"a".repeat(64)}@example.com`,
])("%s looks like an address", (address) => expect(looksLikeEmail(address)).toBe(true));

describe("no mail can be sent to", () => {
  test.each([
    "",
    "noa",
    "@example.com",
    "noa@",
    "noa@.",
    "no a@example.com",
    "a@b@c.com",
    "a..b@example.org",
    ".a@example.org",
    "a.@example.org",
    "a@example.org.",
    "a@.example.org",
    "a@example..org",
    "a@-example.org",
    "a@example-.org",
    "a@example.-org",
    "a@exam_ple.org",
    '"a b"@example.org',
    '"a"@example.org',
    "a(b)@example.org",
    "Noa <a@example.org>",
    "a,b@example.org",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@example.123",
    "a\u202E@example.org",
    "a@é-.org",
    "a@-é.org",
    "a@e-\u0301.org",
    "a+\u0301@example.org",
    "a@example\u3002org",
    `${"a".repeat(65)}@example.com`,
    `${"ש".repeat(33)}@example.com`,
    `a@${"b".repeat(64)}.com`,
    `a@${"ש".repeat(60)}.com`,
    `a@${"b.".repeat(125)}com`,
  ])('"%s"', (address) => expect(looksLikeEmail(address)).toBe(false));
});

test("a domain without a dot is no visitor's, though mail can be sent there", () => {
  expect(looksLikeEmail("noa@localhost")).toBe(false);
  expect(isMailbox("noa@localhost")).toBe(true);
});
