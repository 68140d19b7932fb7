import { randomBytes } from "node:crypto";

/** An anonymous id for a client that has none: milliseconds since 1970 and 96 random bits. */
export function makeAnonymousId(nowMs: number): string {
  return `${nowMs}-${randomBytes(12).toString("hex")}`;
}
