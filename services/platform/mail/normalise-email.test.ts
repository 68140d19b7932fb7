import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { normaliseEmail, normaliseMailbox } from "./normalise-email.ts";

describe("two ways to write one address are one", () => {
  test.each([
    ["Noa@Example.COM", "noa@example.com"],
    ["  noa@example.com\u{feff}\n", "noa@example.com"],
    // The character e with an accent of its own, and as one character.
    ["Rene\u{301}e@example.com", "ren\u{e9}e@example.com"],
    ["noa@bu\u{308}cher.example", "noa@xn--bcher-kva.example"],
    ["noa@B\u{dc}CHER.example", "noa@xn--bcher-kva.example"],
    ["נועה@דוגמה.קום", "נועה@xn--6dbbec0c.xn--9dbq2a"],
    ["noa@XN--6DBBEC0C.xn--9dbq2a", "noa@xn--6dbbec0c.xn--9dbq2a"],
    ["noa+list@example.com", "noa+list@example.com"],
  ])("%j", (written, same) => expect(normaliseEmail(written)).toBe(same));
});

describe("two addresses stay two", () => {
  test.each([
    ["noa@example.com", "noa+list@example.com"],
    ["noa@example.com", "n.oa@example.com"],
    ["noa@example.com", "noa@mail.example.com"],
    ["noa@b\u{fc}cher.example", "noa@b\u{fc}cher.example/other"],
    ["noa@b\u{fc}cher.example", "noa@b\u{fc}cher.example:25"],
    ["noa@1.2", "noa@1.0.0.2"],
  ])("%j and %j", (one, other) => expect(normaliseEmail(one)).not.toBe(normaliseEmail(other)));
});

/** Addresses of all kinds, also with characters that are rare, or outside every alphabet. */
const part = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom("a", "Ä", "İ", "Σ", "\u{301}", "."),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
  })
  .map((text) => text.replaceAll(/[\s@]/g, ""));
const address = fc
  .tuple(part, part, part)
  .map(([local, name, top]) => `${local}@${name}.${top}`)
  .filter((text) => text.split("@").length === 2);

test("any address has one form, whose own form it is", () => {
  fc.assert(
    fc.property(address, (email) => {
      const form = normaliseEmail(email);
      expect(normaliseEmail(form)).toBe(form);
      expect(form).toContain("@");
      expect(normaliseEmail(`\t${email} `)).toBe(form);
      expect(normaliseEmail(email.normalize("NFD"))).toBe(form);
    }),
    { numRuns: 3000 },
  );
});

test("any text has a form, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (one, other) => {
      for (const text of [one, other, `${one}@${other}`, "\u{d800}@\u{dfff}.x"]) {
        expect(normaliseEmail(text).isWellFormed()).toBe(true);
      }
    }),
  );
});

describe("the names of one mailbox are one", () => {
  test.each([
    ["Noa+List@Example.com", "noa@example.com"],
    ["noa+a+b@example.com", "noa@example.com"],
    ["n.oa@example.com", "n.oa@example.com"],
    ["N.o.a+x.y@GoogleMail.com", "noa@gmail.com"],
    ["noa@gmail.com.example", "noa@gmail.com.example"],
    ["+noa@example.com", "+noa@example.com"],
    ["not an address", "not an address"],
  ])("%j", (written, same) => expect(normaliseMailbox(written)).toBe(same));

  test("whatever was written, and however often it is asked", () => {
    fc.assert(
      fc.property(part, part, fc.constantFrom("gmail.com", "example.com"), (name, tag, domain) => {
        const mailbox = normaliseMailbox(`a${name}@${domain}`);
        expect(normaliseMailbox(`a${name}+${tag}@${domain}`)).toBe(mailbox);
        expect(normaliseMailbox(mailbox)).toBe(mailbox);
      }),
    );
  });
});
