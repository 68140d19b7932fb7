import { hash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";

import { accountOf, tokenHolderOf } from "./admission.ts";
import { ProblemError } from "./problem-details.ts";

/** Requests that one address may make in a window; 0 or absent for no limit. */
export type RateLimit = {
  /** GET and HEAD, counted apart from the others. */
  reads?: number;
  writes?: number;
  /** Length of a window; a minute unless stated. It begins with an address's first request. */
  windowMs?: number;
};

const readMethods: readonly string[] = ["GET", "HEAD"];
/** Addresses counted at once; beyond it the one that was seen longest ago is forgotten. */
const addressesMax = 100_000;
/** What is left is stated by the refusal alone: answers may be kept by caches. */
const noHeaders = {
  "x-ratelimit-limit": false,
  "x-ratelimit-remaining": false,
  "x-ratelimit-reset": false,
  "retry-after": false,
};

/** The network of an address that counts as one caller: IPv6 addresses by their first 64 bits. */
export const networkOf = (ip: string): string => normalizeIP(ip);

/** How long a refusal is held back, so that who asks in a loop asks no faster than this. */
const refusalDelayMs = 500;
/** Refusals held back at once by one scope; those beyond it go out at once. */
const delayedMax = 1000;

/**
 * Limits how often one address may use the routes that are added to this scope afterwards; all reads
 * share one count, and all writes. IPv6 addresses count by their network of 64 bits, which is what one household
 * or host has (RFC 6177). Addresses are held in memory only, as hashes with a salt that ends with
 * the process. Beyond the limit: problem `rate_limited` with the seconds until the next window, a
 * moment later.
 */
export async function limitRate(scope: FastifyInstance, limit: RateLimit): Promise<void> {
  const { reads = 0, writes = 0, windowMs = 60_000 } = limit;
  if (reads === 0 && writes === 0) return;
  const maxOf = (method: string): number => (readMethods.includes(method) ? reads : writes);
  const salt = randomUUID();
  await scope.register(rateLimit, {
    max: ({ method }) => maxOf(method),
    timeWindow: windowMs,
    cache: addressesMax,
    keyGenerator: ({ ip, method }) => {
      const kind = readMethods.includes(method) ? "read" : "write";
      return hash("sha256", `${salt} ${kind} ${networkOf(ip)}`, "base64");
    },
    allowList: ({ method }) => maxOf(method) === 0,
    addHeaders: noHeaders,
    addHeadersOnExceeding: noHeaders,
    errorResponseBuilder: (_request, { ttl }) =>
      new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  });
  let delayed = 0;
  scope.addHook("onError", async (_request, _reply, error) => {
    if (!(error instanceof ProblemError) || error.code !== "rate_limited") return;
    if (delayed >= delayedMax) return;
    delayed += 1;
    await delay(refusalDelayMs);
    delayed -= 1;
  });
}

/**
 * Limits how often one access token may use the calls that are added to this scope afterwards. Each answer
 * states what is left (`RateLimit-Limit`, `-Remaining`, `-Reset` in seconds; draft-ietf-httpapi-ratelimit-headers-05).
 */
export async function limitTokens(scope: FastifyInstance, callsPerMinute: number): Promise<void> {
  await scope.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: 60_000,
    cache: addressesMax,
    enableDraftSpec: true,
    // The call's admission comes first, so that an unknown token is refused before it is counted.
    keyGenerator: (request) => tokenHolderOf(request).tokenId,
    errorResponseBuilder: (_request, { ttl }) =>
      new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  });
}

/** Limits how often one account may use the calls that are added to this scope afterwards, whose input is costly. */
export async function limitAccounts(scope: FastifyInstance, callsPerMinute: number): Promise<void> {
  await scope.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: 60_000,
    cache: addressesMax,
    // The call's admission comes first.
    keyGenerator: (request) => accountOf(request).accountId,
    addHeaders: noHeaders,
    addHeadersOnExceeding: noHeaders,
    errorResponseBuilder: (_request, { ttl }) =>
      new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  });
}
