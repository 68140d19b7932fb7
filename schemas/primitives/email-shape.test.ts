import { expect, test } from "vitest";

import { looksLikeEmail } from "./email-shape.ts";

test.each(["noa@example.com", "a+b@mail.example.co.il", "נועה@example.com"])(
  "%s looks like an address",
  (address) => expect(looksLikeEmail(address)).toBe(true),
);

test.each(["", "noa", "noa@example", "@example.com", "noa@.", "no a@example.com", "a@b@c.com"])(
  '"%s" does not',
  (address) => expect(looksLikeEmail(address)).toBe(false),
);
