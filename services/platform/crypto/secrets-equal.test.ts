import fc from "fast-check";
import { expect, test } from "vitest";

import { secretsEqual } from "./secrets-equal.ts";

test("secrets are equal when they are the same, of whatever lengths", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(secretsEqual(one, one)).toBe(true);
      expect(secretsEqual(one, other)).toBe(Buffer.from(one).equals(Buffer.from(other)));
      expect(secretsEqual(Buffer.from(one), one)).toBe(true);
    }),
  );
});
