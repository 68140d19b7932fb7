import { expect, it } from "vitest";

import { newRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";

it("15: there are ten recovery codes of 80 bits, and no two are the same", () => {
  const codes = Array.from({ length: 20 }, newRecoveryCodes).flat();
  expect(codes).toHaveLength(200);
  expect(new Set(codes).size).toBe(200);
  for (const code of codes)
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
});

it("15: a recovery code may be typed in lower case, without separators, with O, I and L for digits", () => {
  const hash = recoveryCodeHash("10QX-7ZK4-ABCD-0001");
  for (const typed of ["loqx7zk4abcdoooi", " 10qx 7zk4 abcd 0001", "IOQX-7ZK4-ABCD-OOOL"]) {
    expect(recoveryCodeHash(typed)).toEqual(hash);
  }
  expect(recoveryCodeHash("10QX-7ZK4-ABCD-0002")).not.toEqual(hash);
});
