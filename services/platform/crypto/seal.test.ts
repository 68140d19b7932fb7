import { randomBytes } from "node:crypto";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { seal, SealBroken, unseal } from "./seal.ts";

const key = randomBytes(32);
const plains = fc.uint8Array({ maxLength: 300 });

describe("what was sealed", () => {
  test("opens under its key and for what it is bound to, whatever it is", () => {
    fc.assert(
      fc.property(plains, fc.string(), (plain, boundTo) => {
        expect(unseal(key, seal(key, plain, boundTo), boundTo)).toEqual(Buffer.from(plain));
      }),
    );
  });

  test("does not open when any one of its bytes was changed", () => {
    fc.assert(
      fc.property(plains, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, place, flip) => {
        const sealed = seal(key, plain, "noa");
        const at = place % sealed.length;
        sealed[at] = (sealed[at] ?? 0) ^ flip;
        expect(() => unseal(key, sealed, "noa")).toThrow(SealBroken);
      }),
      { numRuns: 500 },
    );
  });

  test("does not open when it was cut, or something was added", () => {
    const sealed = seal(key, Buffer.from("noa@example.com"), "noa");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => unseal(key, sealed.subarray(0, length), "noa")).toThrow(SealBroken);
    }
    const longer = Buffer.concat([sealed, Buffer.of(0)]);
    expect(() => unseal(key, longer, "noa")).toThrow(SealBroken);
  });

  test("does not open for anything else than it is bound to", () => {
    fc.assert(
      fc.property(plains, fc.string(), fc.string(), (plain, one, other) => {
        fc.pre(one !== other);
        const sealed = seal(key, plain, one);
        expect(() => unseal(key, sealed, other)).toThrow(SealBroken);
      }),
    );
  });

  test("does not open under another key", () => {
    const sealed = seal(key, Buffer.from("noa@example.com"), "noa");
    expect(() => unseal(randomBytes(32), sealed, "noa")).toThrow(SealBroken);
  });

  test("is different each time, and shows nothing but its length", () => {
    const plain = Buffer.from("noa@example.com");
    const [one, other] = [seal(key, plain, "noa"), seal(key, plain, "noa")];
    expect(one.equals(other)).toBe(false);
    expect(one.includes(plain)).toBe(false);
    expect(one.length).toBe(plain.length + 29);
  });

  test("does not reveal its content when it is broken", () => {
    const sealed = seal(key, Buffer.from("noa@example.com"), "noa");
    const error: unknown = (() => {
      try {
        return unseal(key, sealed, "other");
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toMatchObject({
      name: "SealBroken",
      message: "What was sealed cannot be opened",
    });
    expect(error).not.toHaveProperty("cause");
  });
});

test("a key of another length is refused when sealing and when opening", () => {
  const sealed = seal(key, Buffer.from("x"), "noa");
  for (const length of [0, 16, 31, 33]) {
    expect(() => seal(randomBytes(length), Buffer.from("x"), "noa")).toThrow("32 bytes");
    expect(() => unseal(randomBytes(length), sealed, "noa")).toThrow("32 bytes");
  }
});

test("what an earlier version sealed still opens", () => {
  const old = Buffer.from("Abk9Oqm7QWYw8UhccTpanT1HBTscaRLqwSViEe5XOyhZeDQjMQzeVz8RbF8=", "base64");
  expect(unseal(Buffer.alloc(32, 7), old, "noa").toString("utf8")).toBe("noa@example.com");
});
