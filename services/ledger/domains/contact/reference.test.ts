import { ContactReference } from "@pro-talent/schemas/contact/events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { newReference, referenceOf, typedReference } from "./reference.ts";

describe("a reference", () => {
  it("is what the contract says, for any random bits", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 5, maxLength: 5 }), (bytes) => {
        expect(ContactReference.safeParse(referenceOf(Buffer.from(bytes))).success).toBe(true);
      }),
    );
    expect(referenceOf(Buffer.alloc(5))).toBe("PT-0000-0000");
    expect(referenceOf(Buffer.alloc(5, 0xff))).toBe("PT-ZZZZ-ZZZZ");
    expect(newReference()).not.toBe(newReference());
  });

  it("is different for different bits", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 40n - 1n), fc.bigInt(0n, 2n ** 40n - 1n), (one, other) => {
        const of = (bits: bigint) =>
          referenceOf(Buffer.from(bits.toString(16).padStart(10, "0"), "hex"));
        expect(of(one) === of(other)).toBe(one === other);
      }),
    );
  });

  it.each(["PT-7K1M-9XQ0", "pt-7k1m-9xq0", "7K1M9XQ0", " PT 7KlM 9XQO ", "pt7kim9xqo"])(
    "typed as %s is found",
    (typed) => {
      expect(typedReference(typed)).toBe("PT-7K1M-9XQ0");
    },
  );

  it.each(["", "PT-", "PT-7K1M", "PT-7K1M-9XQ0-1", "PT-7K1M-9XQU", "--help"])(
    "is not %j",
    (typed) => expect(typedReference(typed)).toBeUndefined(),
  );
});
