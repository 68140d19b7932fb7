import { Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { createLogger, type Logger } from "@pro-talent/platform/runtime/logger";
import type { OpenService, RunningService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { Gateway, type Route } from "../gateway/dispatch.ts";
import { PUBLIC_PORT } from "../gateway/public-port.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** What the supervising process sends once the engines run. */
const HostedServices = z.array(
  z.object({
    name: z.string(),
    /** Where the service answers past the gateway, on loopback. */
    port: z.number(),
    /** Paths of the public origin that it answers. */
    routes: z.array(z.string()),
    environment: z.record(z.string(), z.string()),
  }),
);
export type HostedServices = z.infer<typeof HostedServices>;

const READY_POLL_MS = 20;
const STOP_WITHIN_MS = 20_000;

/** What the hosting process needs to know by itself; the rest is sent to it. */
export type Hostable = Pick<ServiceDefinition, "name" | "load" | "migrate">;
type Loaded = { definition: Hostable; open: OpenService };
type Opened = Map<string, RunningService>;

/**
 * Hosts services in this process, which a supervising process has started with their names as
 * arguments: loads them, receives their environments, migrates, opens them all, and reports `ready`.
 * Then it receives the public port and dispatches what arrives there. It ends on SIGTERM or when the
 * supervising process is gone.
 */
export async function hostServices(definitions: readonly Hostable[]): Promise<void> {
  if (!process.connected) throw new Error("The supervising process is gone.");
  const names = process.argv.slice(2);
  const wanted = definitions.filter(({ name }) => names.includes(name));
  const opened: Opened = new Map();
  const gateway = new Gateway();
  closeWhenAsked(gateway, () => wanted.flatMap(({ name }) => opened.get(name) ?? []));
  const received = nextMessage();
  // Loaded while the engines still start.
  const loaded = await Promise.all(wanted.map(loadService));
  const hosted = HostedServices.parse(await received);
  await openAll(loaded, hosted, opened);
  process.on("message", (text, socket) => {
    if (text !== PUBLIC_PORT || !(socket instanceof Server)) return;
    void gateway.listen(socket, routesOf(hosted, opened)).then(() => process.send?.("accepted"));
  });
  process.send?.("ready");
}

function nextMessage(): Promise<unknown> {
  return new Promise((resolve) => process.once("message", resolve));
}

function routesOf(hosted: HostedServices, opened: Opened): Route[] {
  return hosted.flatMap(({ name, routes }) => {
    const app = opened.get(name)?.app;
    if (app === undefined) return [];
    return routes.map((prefix) => ({ prefix, handle: app.routing.bind(app) }));
  });
}

/** The gateway first, then services before those they need. */
function closeWhenAsked(gateway: Gateway, services: () => RunningService[]): void {
  const shutdown = new Shutdown(loggerOf("services"), STOP_WITHIN_MS);
  shutdown.add("gateway", () => gateway.close());
  shutdown.add("services", async () => {
    for (const service of services().toReversed()) await service.close();
  });
  shutdown.listen();
}

function loggerOf(service: string): Logger {
  return createLogger({ service, level: process.env["LOG_LEVEL"] ?? "info" });
}

async function loadService(definition: Hostable): Promise<Loaded> {
  return { definition, open: await definition.load() };
}

async function openAll(
  loaded: readonly Loaded[],
  hosted: HostedServices,
  opened: Opened,
): Promise<void> {
  const settings = new Map(hosted.map((one) => [one.name, one]));
  const environmentOf = (name: string) => ({
    ...process.env,
    ...settings.get(name)?.environment,
  });
  await Promise.all(
    loaded.map(async ({ definition: { name, migrate } }) => {
      await migrate?.(environmentOf(name)).catch((cause: unknown) => {
        throw new Error(`${name} migration failed: ${reasonOf(cause)}`, { cause });
      });
    }),
  );
  await Promise.all(
    loaded.map(async ({ definition: { name }, open }) => {
      const log = loggerOf(name);
      const service = await open(environmentOf(name), log);
      opened.set(name, service);
      await service.app.listen({ host: "127.0.0.1", port: settings.get(name)?.port ?? 0 });
      await untilReady(service.app);
      log.info(`${name} is ready`);
    }),
  );
}

async function untilReady(app: FastifyInstance): Promise<void> {
  while ((await app.inject("/readyz")).statusCode !== 200) await delay(READY_POLL_MS);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
