import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { headCalls } from "@pro-talent/schemas/ledger/heads";
import type { FastifyInstance } from "fastify";

import { HeadFile } from "./head-file.ts";

/** A week of heads, one an hour. */
const listedMax = 168;

/** Publishes signed heads, for everyone; none when the service has no file of heads. */
export async function addHeadRoutes(
  app: FastifyInstance,
  options: { readonly file: string | undefined; readonly readsPerMinute: number },
): Promise<void> {
  await limitRate(app, { reads: options.readsPerMinute });
  addCalls(app, headCalls, {
    "GET /api/ledger/heads": async () => {
      const all = options.file === undefined ? [] : await new HeadFile(options.file).read();
      const heads = all.slice(-listedMax).toReversed();
      const keys = [...new Set(heads.map(({ keyId }) => keyId))];
      return { algorithm: "Ed25519" as const, keys, heads };
    },
  });
}
