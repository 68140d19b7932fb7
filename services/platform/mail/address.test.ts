import fc from "fast-check";
import { expect, test } from "vitest";

import { displayName, oneMailbox, smtpServerOf } from "./address.ts";

test.each([
  "noa@example.com",
  "a+b@mail.example.co.il",
  "o'brien@example.org",
  "נועה@example.com",
  "noa@דוגמה.example",
  "owner@localhost",
])("a mail can be sent to %s", (address) => expect(oneMailbox(address)).toBe(address));

test("space around an address is not part of it", () => {
  expect(oneMailbox(" noa@example.com\n")).toBe("noa@example.com");
});

test.each([
  ["two addresses", "a@example.com,b@example.com"],
  ["two addresses with a semicolon", "a@example.com;b@example.com"],
  ["a second line", "a@example.com\r\nBcc: b@example.com"],
  ["a name before it", "Noa <a@example.com>"],
  ["a quoted part", '"a b"@example.com'],
  ["a comment", "a(b)@example.com"],
  ["a group", "all:a@example.com;"],
  ["no domain", "a@"],
  ["a dot at the end", "a.@example.com"],
  ["a hyphen where a name begins", "a@-example.com"],
  ["a hidden direction", "a\u202E@example.com"],
  ["more than a server takes", `${"a".repeat(65)}@example.com`],
])("an address with %s is none", (_what, address) => expect(oneMailbox(address)).toBeUndefined());

test("an accepted address is one line with one @ and no character that separates a list", () => {
  const parts = fc.string({ unit: "grapheme", maxLength: 12 });
  const likely = fc.tuple(parts, parts).map(([one, other]) => `a${one}@${other}example.com`);
  fc.assert(
    fc.property(fc.oneof(parts, likely), (text) => {
      expect(oneMailbox(text) ?? "a@example.com").toMatch(
        /^[^\s@,;:<>()[\]\\"\p{C}]+@[^\s@,;:<>()[\]\\"\p{C}]+$/u,
      );
    }),
    { numRuns: 2000 },
  );
});

test("a name is shown as it is, without what could end it", () => {
  expect(displayName("Noa Levi")).toBe("Noa Levi");
  expect(displayName('Noa "the boss" <x>\r\nBcc: y')).toBe("Noa the boss x Bcc: y");
  expect(displayName("a\u202Eb\u0000c")).toBe("abc");
});

test("a Hebrew abbreviation keeps its gershayim", () => {
  expect(displayName('ד"ר כהן')).toBe("ד״ר כהן");
});

test("a name of nothing visible is no name", () => {
  expect(displayName(' "\u2066" ')).toBeUndefined();
});

test("port and encryption follow from the address of a mail server", () => {
  expect(smtpServerOf("smtp://127.0.0.1:1025")).toMatchObject({
    host: "127.0.0.1",
    port: 1025,
    secure: false,
    ignoreTLS: true,
  });
  expect(smtpServerOf("smtps://mail.example.com")).toMatchObject({ port: 465, secure: true });
  expect(smtpServerOf("smtp://mail.example.com")).toMatchObject({ port: 587, requireTLS: false });
  expect(smtpServerOf("smtp://[::1]:25")).toMatchObject({ host: "::1", ignoreTLS: true });
});

test("user and password may hold any character", () => {
  const { auth } = smtpServerOf("smtps://noa%40example.com:p%3Aa%2Fs%40s@mail.example.com");
  expect(auth).toEqual({ user: "noa@example.com", pass: "p:a/s@s" });
});

test("a password never travels unencrypted to another machine", () => {
  expect(smtpServerOf("smtp://noa:secret@mail.example.com")).toMatchObject({ requireTLS: true });
  expect(smtpServerOf("smtp://noa:secret@127.0.0.1")).toMatchObject({ requireTLS: false });
});

test.each(["", "mail.example.com", "http://noa:secret@mail.example.com", "smtp://a:%E0%A4%A@b"])(
  '"%s" is refused without being repeated',
  (url) => {
    expect(() => smtpServerOf(url)).toThrow(/^(?!.*secret)(?!.*example)/);
  },
);
