import { expect, test } from "vitest";

import { matchesVerifier, scramVerifier } from "./scram-verifier.ts";

test("matches the example of RFC 7677", () => {
  const salt = Buffer.from("W22ZaJ0SNY7soEsUEjb6gQ==", "base64");
  expect(scramVerifier("pencil", salt)).toBe(
    "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=",
  );
});

test("differs each time for the same password", () => {
  expect(scramVerifier("pencil")).not.toBe(scramVerifier("pencil"));
});

test("a password matches the verifier that was made from it, and no other", () => {
  const verifier = scramVerifier("pencil");
  expect(matchesVerifier("pencil", verifier)).toBe(true);
  expect(matchesVerifier("pencils", verifier)).toBe(false);
  expect(matchesVerifier("pencil", "")).toBe(false);
  expect(matchesVerifier("pencil", "md5d41d8cd98f00b204e9800998ecf8427e")).toBe(false);
});

test("refuses passwords that programs would normalise differently", () => {
  for (const password of ["", "סיסמה", "with space", "tab\t"]) {
    expect(() => scramVerifier(password)).toThrow("printable ASCII");
  }
});
