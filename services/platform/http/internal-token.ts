import type { FastifyInstance } from "fastify";

import { secretsEqual } from "../crypto/secrets.ts";
import { ProblemError } from "./problem-details.ts";

/** Guards every route of this Fastify scope: only other services, by their shared token. */
export function requireInternalToken(app: FastifyInstance, token: string): void {
  app.addHook("onRequest", async (request) => {
    const header = request.headers.authorization ?? "";
    if (!secretsEqual(header, `Bearer ${token}`)) throw new ProblemError("unauthorized");
  });
}
