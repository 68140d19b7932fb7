import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitAccounts } from "@pro-talent/platform/http/rate-limit";
import type { FastifyInstance } from "fastify";

import {
  exportCalls,
  exportHandlers,
  type Exporting,
  importCalls,
  importHandlers,
  type Importing,
} from "./exchange/handlers.ts";
import { postingCalls, postingHandlers, type Reading } from "./posting/handlers.ts";

/** Of one account: each makes a request to a server elsewhere. */
const postingsPerMinute = 10;
/** Of one account: each reads or writes a whole file. */
const filesPerMinute = 20;

/** The calls that bring applications in from elsewhere, and take them out. */
export async function addExchangeRoutes(
  app: FastifyInstance,
  parts: Reading & Importing & Exporting,
): Promise<void> {
  await app.register(async (scope) => {
    await limitAccounts(scope, postingsPerMinute);
    addCalls(scope, postingCalls, postingHandlers(parts));
  });
  await app.register(async (scope) => {
    await limitAccounts(scope, filesPerMinute);
    const handlers = { ...importHandlers(parts), ...exportHandlers(parts) };
    addCalls(scope, { ...importCalls, ...exportCalls }, handlers);
  });
}
