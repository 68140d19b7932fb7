import { createHash, randomBytes } from "node:crypto";

import { accountLimits } from "@pro-talent/schemas/accounts/limits";

import { crockfordDigits, toBase32 } from "./base32.ts";

/** 80 bits: too many to guess, so that a plain hash is enough at rest (ASVS 5.0, 6.5.2). */
const codeBytes = 10;

/** New codes, as they are shown once: `7ZK4-0QXE-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: accountLimits.recoveryCodes }, () => {
    const code = toBase32(randomBytes(codeBytes), crockfordDigits);
    return (code.match(/.{4}/g) ?? []).join("-");
  });
}

/** What is stored of a code. Case and separators do not count, and O is read as 0, I and L as 1. */
export function recoveryCodeHash(typed: string): Buffer {
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return createHash("sha256").update(code).digest();
}
