import { createHmac, randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";

export type RateLimit = {
  /** @throws ProblemError `rate_limited` with the seconds until the next minute */
  take(address: string): void;
};

const windowMs = 60_000;
/** Different addresses remembered per minute; beyond it all newcomers share one allowance. */
const addressesMax = 100_000;
const newcomers = "newcomers";

/** The part of an IPv6 address that one household or host is given (RFC 6177): its first 64 bits. */
function network(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail = ""] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === "" ? 0 : tail.split(":").length;
  while (groups.length + after < 8) groups.push("0");
  return groups.slice(0, 4).join(":");
}

/**
 * At most so many calls per minute from one address. Addresses are kept for that minute, in memory,
 * as hashes under a key that dies with the process.
 * @param perMinute 0 turns the limit off
 */
export function createRateLimit(perMinute: number, clock: Clock): RateLimit {
  const key = randomBytes(32);
  let window = 0;
  let counts = new Map<string, number>();
  return {
    take: (address) => {
      if (perMinute === 0) return;
      const now = clock();
      const minute = Math.floor(now / windowMs);
      if (minute !== window) {
        window = minute;
        counts = new Map();
      }
      const hash = createHmac("sha256", key).update(network(address)).digest("base64");
      const name = counts.has(hash) || counts.size < addressesMax ? hash : newcomers;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (count > perMinute) {
        const retryAfterSeconds = Math.ceil(((minute + 1) * windowMs - now) / 1000);
        throw new ProblemError("rate_limited", { retryAfterSeconds });
      }
    },
  };
}
