import { createHmac, randomBytes } from "node:crypto";

import { secretsEqual } from "@pro-talent/platform/crypto/secrets";
import { accountLimits } from "@pro-talent/schemas/accounts/limits";

import { base32Digits, toBase32 } from "./base32.ts";

const stepMs = 30_000;
/** RFC 4226 §4 recommends 160 bits. */
const secretBytes = 20;
const { totpDigits } = accountLimits;

export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

/**
 * The code of one step of 30 seconds: HOTP with HMAC-SHA-1 over the step's number (RFC 6238 §4, RFC 4226
 * §5.3).
 */
export function totpCode(secret: Uint8Array, step: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(message).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** totpDigits).padStart(totpDigits, "0");
}

/** The step that a time is in. */
export const totpStep = (nowMs: number): number => Math.floor(nowMs / stepMs);

/**
 * The step that a code belongs to: the present one, or the one before or after, for clocks that differ.
 * All are compared, so that the time reveals nothing.
 * @param typed as a person types it, with spaces or not
 */
export function stepOfCode(secret: Uint8Array, typed: string, nowMs: number): number | undefined {
  const code = typed.replaceAll(/\s/g, "");
  const now = totpStep(nowMs);
  return [now, now - 1, now + 1].filter((step) => secretsEqual(totpCode(secret, step), code))[0];
}

export const totpSecretText = (secret: Uint8Array): string => toBase32(secret, base32Digits);

/** The address that an authenticator app reads from a QR code (Key URI format of Google Authenticator). */
export function totpUri(secret: Uint8Array, { issuer, email }: { issuer: string; email: string }) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const parameters = [
    `secret=${totpSecretText(secret)}`,
    `issuer=${encodeURIComponent(issuer)}`,
    `algorithm=SHA1&digits=${totpDigits}&period=${stepMs / 1000}`,
  ];
  return `otpauth://totp/${label}?${parameters.join("&")}`;
}
