import etag from "@fastify/etag";
import type { FastifyInstance } from "fastify";

import { limitTokens } from "./rate-limit.ts";

/**
 * How calls for programs of account holders answer in this scope: limited by access token, with an ETag
 * (RFC 9110 §8.8.3), so that a program that asks again with `If-None-Match` receives 304 without a body.
 */
export async function readForPrograms(
  scope: FastifyInstance,
  callsPerMinute: number,
): Promise<void> {
  await limitTokens(scope, callsPerMinute);
  await scope.register(etag, { weak: true });
}
