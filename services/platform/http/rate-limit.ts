import { hash, randomUUID } from "node:crypto";

import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";

import { ProblemError } from "./problem-details.ts";

export type RateLimit = {
  /** Requests that one address may make in a window; 0 for no limit. */
  max: number;
  /** Length of a window; a minute unless stated. It begins with an address's first request. */
  windowMs?: number;
  /** The methods that count, as in `POST`; all of them unless stated. */
  methods?: readonly string[];
};

/** Addresses counted at once; beyond it the one that was seen longest ago is forgotten. */
const addressesMax = 100_000;
/** What is left is stated by the refusal alone: answers may be kept by caches. */
const noHeaders = {
  "x-ratelimit-limit": false,
  "x-ratelimit-remaining": false,
  "x-ratelimit-reset": false,
  "retry-after": false,
};

/**
 * Limits how often one address may use the routes that are added to this scope afterwards; they
 * share one count. IPv6 addresses count by their network of 64 bits, which is what one household
 * or host has (RFC 6177). Addresses are held in memory only, as hashes with a salt that ends with
 * the process. Beyond the limit: problem `rate_limited` with the seconds until the next window.
 */
export async function limitRate(scope: FastifyInstance, limit: RateLimit): Promise<void> {
  const { max, windowMs = 60_000, methods } = limit;
  if (max === 0) return;
  const salt = randomUUID();
  await scope.register(rateLimit, {
    max,
    timeWindow: windowMs,
    cache: addressesMax,
    keyGenerator: ({ ip }) => hash("sha256", salt + normalizeIP(ip), "base64"),
    allowList: ({ method }) => methods !== undefined && !methods.includes(method),
    addHeaders: noHeaders,
    addHeadersOnExceeding: noHeaders,
    errorResponseBuilder: (_request, { ttl }) =>
      new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  });
}
