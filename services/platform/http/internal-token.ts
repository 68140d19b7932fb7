import { createHash, timingSafeEqual } from "node:crypto";

import type { FastifyInstance } from "fastify";

import { ProblemError } from "./problem-details.ts";

/** Compares secrets in constant time, whatever their lengths. */
export function secretsEqual(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Guards every route of this Fastify scope: only other services, by their shared token. */
export function requireInternalToken(app: FastifyInstance, token: string): void {
  app.addHook("onRequest", async (request) => {
    const header = request.headers.authorization ?? "";
    if (!secretsEqual(header, `Bearer ${token}`)) throw new ProblemError("unauthorized");
  });
}
