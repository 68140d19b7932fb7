import { createHmac } from "node:crypto";

const stepMs = 30_000;

/** What an authenticator shows (RFC 6238), of the step that has begun or of a later one. */
export function codeOf(secret: Buffer, later = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + later));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, "0");
}
