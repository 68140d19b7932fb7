import { Server, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { missingDatabase } from "@pro-talent/platform/postgres/missing-database";
import { exitCodeOf } from "@pro-talent/platform/runtime/failed-start";
import { createLogger, type Logger } from "@pro-talent/platform/runtime/logger";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { describeFailure } from "@pro-talent/platform/runtime/run-command";
import type { OpenService, RunningService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { startTracing } from "@pro-talent/platform/tracing/start-tracing";
import { z } from "zod";

import { Gateway, type Route } from "../gateway/dispatch.ts";
import { PUBLIC_PORT, WAITING_CONNECTION } from "../gateway/public-port.ts";
import type { ServiceDefinition } from "./service-definition.ts";

const HostedService = z.object({
  name: z.string(),
  /** Where the service answers past the gateway, on loopback. */
  port: z.number(),
  /** Paths of the public origin that it answers. */
  routes: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
});
type HostedService = z.infer<typeof HostedService>;
/** What the supervising process sends once the engines run, one for each name in the arguments. */
const HostedServices = z.array(HostedService);
export type HostedServices = z.infer<typeof HostedServices>;

/** What the hosting process needs to know by itself. */
export type Hostable = Pick<ServiceDefinition, "name" | "load" | "migrate">;

const READY_POLL_MS = 20;
const STOP_WITHIN_MS = 20_000;

/**
 * Hosts services in this process, which a supervising process has started with their names as
 * arguments: loads them, receives their environments, migrates, opens them all, and reports `ready`.
 * Then it receives the public port and dispatches what arrives there. It ends on SIGTERM or when the
 * supervising process is gone; with 1 or 75 ({@link exitCodeOf}), and the reason, when they cannot be opened.
 */
export async function hostServices(definitions: readonly Hostable[]): Promise<void> {
  try {
    await openServices(definitions);
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    // What is open by now would keep the process running.
    process.exit(exitCodeOf(error));
  }
}

async function openServices(definitions: readonly Hostable[]): Promise<void> {
  if (!process.connected) throw new Error("The supervising process is gone.");
  const received = new Promise<unknown>((resolve) => process.once("message", resolve));
  const gateway = new Gateway();
  const opened: RunningService[] = [];
  const stopTracing = await startTracing(process.env, "pro-talent");
  closeWhenAsked(gateway, opened, stopTracing);
  const names = process.argv.slice(2);
  const wanted = names.flatMap((name) => definitions.find((known) => known.name === name) ?? []);
  // Loaded while the engines still start.
  const loaded = await Promise.all(wanted.map(({ load }) => load()));
  const hosted = HostedServices.parse(await received);
  await Promise.all(hosted.map((service, index) => migrate(service, wanted[index])));
  const routes = await Promise.all(
    hosted.map(async (service, index) => {
      const running = await open(service, loaded[index]);
      opened[index] = running;
      return answer(service, running);
    }),
  );
  process.on("message", (text, handle) => {
    if (text === WAITING_CONNECTION && handle instanceof Socket) gateway.take(handle);
    if (text !== PUBLIC_PORT || !(handle instanceof Server)) return;
    void gateway.listen(handle, routes.flat()).then(() => process.send?.("accepted"));
  });
  process.send?.("ready");
}

/** The gateway first, then services before those they need. */
function closeWhenAsked(
  gateway: Gateway,
  opened: readonly (RunningService | undefined)[],
  stopTracing: () => Promise<void>,
): void {
  const shutdown = new Shutdown(loggerOf("services"), STOP_WITHIN_MS);
  shutdown.add("gateway", () => gateway.close());
  shutdown.add("services", async () => {
    for (const service of opened.toReversed()) await service?.close();
  });
  shutdown.add("traces", stopTracing);
  shutdown.listen();
}

function loggerOf(service: string): Logger {
  return createLogger({ service, level: process.env["LOG_LEVEL"] ?? "info" });
}

async function migrate(
  { name, environment }: HostedService,
  definition: Hostable | undefined,
): Promise<void> {
  await definition?.migrate?.({ ...process.env, ...environment }).catch((cause: unknown) => {
    const known = missingDatabase(cause, "DATABASE_OWNER_URL") ?? cause;
    throw new OperatorError(`${name} migration failed: ${describeFailure(known)}`, { cause });
  });
}

async function open(
  { name, environment }: HostedService,
  openService: OpenService | undefined,
): Promise<RunningService> {
  if (openService === undefined) throw new Error(`There is no service ${name}`);
  return openService({ ...process.env, ...environment }, loggerOf(name));
}

/** Listens and waits until the service can do its work. @returns what it answers at the gateway */
async function answer(
  { name, port, routes }: HostedService,
  { app }: RunningService,
): Promise<Route[]> {
  await app.listen({ host: "127.0.0.1", port });
  while ((await app.inject("/readyz")).statusCode !== 200) await delay(READY_POLL_MS);
  loggerOf(name).info(`${name} is ready`);
  return routes.map((prefix) => ({ prefix, handle: app.routing.bind(app) }));
}
