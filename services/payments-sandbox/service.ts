import { dirname } from "node:path";

import {
  httpServiceEnv,
  internalToken,
  parseEnv,
  publicOrigin,
} from "@pro-talent/platform/config/define-env";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import { type Clock, readClock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import type { OpenService, RunningService } from "@pro-talent/platform/runtime/run-service";
import { requireWritable } from "@pro-talent/platform/runtime/writable";
import { Registry } from "prom-client";
import { z } from "zod";

import { Journal } from "./journal.ts";
import { addHostedPages } from "./pages/routes.ts";
import { Provider } from "./provider.ts";
import { addSandboxRoutes } from "./routes.ts";
import { startWebhooks } from "./webhooks.ts";

const shape = {
  ...httpServiceEnv,
  NODE_ENV: z.string().default(""),
  /** Everything that the sandbox holds, as JSON lines. */
  SANDBOX_FILE: z.string().min(1),
  /** The secret key of its interface. */
  SANDBOX_KEY: internalToken,
  /** Signs webhooks. */
  SANDBOX_WEBHOOK_SECRET: internalToken,
  /** Where webhooks are sent; without it none are. */
  SANDBOX_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Of the site, under which the hosted pages are. */
  PUBLIC_ORIGIN: publicOrigin,
  /** How late a slow answer is, in milliseconds. */
  SANDBOX_SLOW_MS: z.coerce.number().int().min(0).default(20_000),
};
type Source = Readonly<Record<string, string | undefined>>;

/**
 * Opens the payments sandbox: a card payment provider without money, for development and tests.
 * @throws OperatorError in production
 */
export const openPaymentsSandbox: OpenService = (source, log) =>
  openSandbox(source, log, readClock(source));

/** The same with a clock that tests move. */
export async function openSandbox(
  source: Source,
  log: Logger,
  clock: Clock,
): Promise<RunningService> {
  const env = parseEnv(shape, source);
  if (env.NODE_ENV === "production") {
    throw new OperatorError("The payments sandbox moves no money: it does not run in production.");
  }
  await requireWritable(dirname(env.SANDBOX_FILE), "SANDBOX_FILE");
  const journal = await Journal.open(env.SANDBOX_FILE);
  const provider = new Provider(clock, `${env.PUBLIC_ORIGIN}/sandbox-payments`);
  const webhooks = startWebhooks({
    journal,
    provider,
    clock,
    log,
    secret: env.SANDBOX_WEBHOOK_SECRET,
    url: env.SANDBOX_WEBHOOK_URL,
  });
  const app = buildServer({
    log,
    publicOrigin: env.PUBLIC_ORIGIN,
    internalToken: env.SANDBOX_KEY,
    clock,
  });
  addHealthRoutes(app, {
    ready: [{ name: "file", check: async () => journal.usable }],
    metrics: new Registry(),
  });
  const parts = { journal, provider, webhooks, clock, slowMs: env.SANDBOX_SLOW_MS };
  await app.register(async (scope) => addSandboxRoutes(scope, parts));
  await app.register(async (scope) =>
    addHostedPages(scope, { journal, provider, publicOrigin: env.PUBLIC_ORIGIN }),
  );
  const close = async (): Promise<void> => {
    await app.close();
    await webhooks.stop();
    await journal.close();
  };
  return { app, close };
}
