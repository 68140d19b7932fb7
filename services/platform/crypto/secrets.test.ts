import fc from "fast-check";
import { expect, test } from "vitest";

import { deriveKey, secretsEqual } from "./secrets.ts";

const secret = Buffer.alloc(32, 7);

test("a label gives one key, always the same", () => {
  expect(deriveKey(secret, "newsletter token").toString("hex")).toBe(
    "75513a831e8084776352644a8bb2d03983aa5cedf5ef5f02bffb3842ad70c7de",
  );
});

test("another label, or another secret, gives another key", () => {
  const key = deriveKey(secret, "one");
  expect(key).toHaveLength(32);
  expect(key.equals(deriveKey(secret, "other"))).toBe(false);
  expect(key.equals(deriveKey(Buffer.alloc(32, 8), "one"))).toBe(false);
  expect(key.equals(secret)).toBe(false);
});

test("a short secret is refused", () => {
  expect(() => deriveKey(Buffer.alloc(16), "one")).toThrow("at least 32 bytes");
});

test("secrets are equal when they are the same, of whatever lengths", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(secretsEqual(one, one)).toBe(true);
      expect(secretsEqual(one, other)).toBe(Buffer.from(one).equals(Buffer.from(other)));
      expect(secretsEqual(Buffer.from(one), one)).toBe(true);
    }),
  );
});
