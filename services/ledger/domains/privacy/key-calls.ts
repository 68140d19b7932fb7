import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { privacyKeyCalls } from "@pro-talent/schemas/privacy/data-package";
import type { FastifyInstance } from "fastify";

import type { HttpContext } from "../../kernel/module.ts";

/** Publishes the keys that signed packages and receipts are verified with. */
export async function addKeyCalls(
  app: FastifyInstance,
  { readsPerMinute }: Pick<HttpContext, "readsPerMinute">,
  secrets: readonly Buffer[],
): Promise<void> {
  await limitRate(app, { reads: readsPerMinute });
  const keys = secrets.map((secret) => signingKey(secret).id);
  addCalls(app, privacyKeyCalls, {
    "GET /api/privacy/keys": async () => ({ algorithm: "Ed25519" as const, keys }),
  });
}
