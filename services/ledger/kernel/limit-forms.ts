import rateLimit from "@fastify/rate-limit";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { FastifyInstance } from "fastify";

/**
 * Lets each client address post so many forms a minute in this scope; reading is not counted.
 * Addresses (of IPv6 the network) are held in memory and nowhere else.
 */
export async function limitForms(app: FastifyInstance, postsPerMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: postsPerMinute,
    timeWindow: 60_000,
    allowList: (request) => request.method !== "POST",
    errorResponseBuilder: (_request, context) =>
      new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  });
}
