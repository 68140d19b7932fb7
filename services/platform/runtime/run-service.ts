import { setTimeout as delay } from "node:timers/promises";

import type { FastifyInstance } from "fastify";

import { httpServiceEnv, parseEnv } from "../config/define-env.ts";
import { beginDraining } from "../http/draining.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import { exitCodeOf } from "./failed-start.ts";
import { createLogger, type Logger } from "./logger.ts";
import { operatorErrorIn } from "./operator-error.ts";
import { Shutdown } from "./shutdown.ts";

/** Of the 30 seconds that a container is given, after it was drained for ten at most. */
const closeWithinMs = 20_000;

/** A service that can answer requests. */
export type RunningService = {
  /** Does not listen yet: a process of its own listens, a shared one dispatches to it. */
  readonly app: FastifyInstance;
  /** Stops taking calls, finishes what was accepted, closes the stores. Never rejects. */
  readonly close: () => Promise<void>;
};

/**
 * Opens a service with the variables in `source`, never with those of the process, which it may
 * share with other services.
 * @throws when a variable is missing or wrong, or the service cannot start. What it has opened so
 * far then stays open: the process is expected to end.
 */
export type OpenService = (
  source: Readonly<Record<string, string | undefined>>,
  log: Logger,
) => Promise<RunningService>;

/**
 * Runs one service as a process of its own: opens it with the environment of the process, listens
 * on `HOST` and `PORT`, and on SIGTERM, SIGINT or when the parent process ends drains and closes it. One
 * that cannot start ends the process with 1, and with a sentence where the operator can change that; with 75
 * where a store went out of reach meanwhile, so that it is started again.
 * @param name in every line of the log
 */
export async function runService(name: string, open: OpenService): Promise<void> {
  try {
    await start(name, open);
  } catch (error) {
    const known = operatorErrorIn(error);
    if (known !== undefined) process.stderr.write(`${known.message}\n`);
    else createLogger({ service: name, level: "fatal" }).fatal({ err: error }, "could not start");
    // What is open by now would keep the process running.
    process.exit(exitCodeOf(error));
  }
}

async function start(name: string, open: OpenService): Promise<void> {
  const env = parseEnv(httpServiceEnv, process.env);
  const log = createLogger({ service: name, level: env.LOG_LEVEL });
  const stopTracing = await startTracing(process.env, name);
  const service = await open(process.env, log);
  const shutdown = new Shutdown(log, env.DRAIN_MS + closeWithinMs);
  shutdown.add("drain", async () => {
    beginDraining(service.app);
    await delay(env.DRAIN_MS);
  });
  shutdown.add("service", service.close);
  shutdown.add("traces", stopTracing);
  shutdown.listen();
  const url = await service.app.listen({ host: env.HOST, port: env.PORT });
  // The parent process, if there is one, receives the port.
  process.send?.({ type: "listening", url });
  log.info(`${name} is ready`);
}
