import { fileURLToPath } from "node:url";

import { CLICKHOUSE_DATABASE, Engines, ownerUrl } from "./engines.ts";
import { PublicPort } from "./gateway/public-port.ts";
import { type InstanceContext, openInstance } from "./instance-context.ts";
import { recordProcesses } from "./instance-record.ts";
import type { ProcessEvent } from "./process/process-spec.ts";
import { type Runtime, writeRuntime } from "./runtime-file.ts";
import type { ServiceDefinition } from "./services/service-definition.ts";
import { ServicesProcess, serviceUrl } from "./services/services-process.ts";
import type { Terminal } from "./terminal.ts";

export type PlatformOptions = {
  dataDir: string;
  /** Port of the one origin; 0 takes a free one. */
  port: number;
  logLevel: string;
  /** Engines that one of them needs are part of the instance. */
  services: readonly ServiceDefinition[];
  /** The script that hosts the services; that of the product when left out. */
  program?: string;
  terminal: Terminal;
  /** Ends a start that is under way. */
  signal: AbortSignal;
  /** How long the services may take to stop. */
  stopWithinMs?: number;
};

export type Platform = {
  runtime: Runtime;
  /** Real path of the data directory. */
  dataDir: string;
  /** Stops everything in order; nothing is left running. */
  stop: () => Promise<void>;
};

/**
 * Starts one whole instance: engines side by side, one process with all services, which begins to
 * load meanwhile, behind one public port. When a part fails, everything is stopped again.
 * @throws {StartFailure} for the part that failed first, with its last lines
 * @throws {DataDirUnusable} when another instance runs on the directory
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const context = await openInstance({
    dataDir: options.dataDir,
    origin: `http://localhost:${options.port}`,
    serviceNames: options.services.map(({ name }) => name),
  });
  const parts: Parts = {};
  try {
    const runtime = await startParts(options, context, parts);
    return { runtime, dataDir: context.dataDir, stop: () => stopParts(parts, context) };
  } catch (error) {
    await stopParts(parts, context);
    throw error;
  }
}

/** What has been started so far. */
type Parts = { publicPort?: PublicPort; engines?: Engines; services?: ServicesProcess };

async function startParts(
  options: PlatformOptions,
  context: InstanceContext,
  parts: Parts,
): Promise<Runtime> {
  const { terminal, services: definitions } = options;
  // First of all, since a taken port should be known at once.
  const publicPort = await PublicPort.open(options.port);
  parts.publicPort = publicPort;
  const failing = new AbortController();
  let recordAgain = (): void => undefined;
  const onEvent = (event: ProcessEvent): void => {
    terminal.event(event);
    if (event.type === "restarted") recordAgain();
  };
  const engines = new Engines(context, new Set(definitions.flatMap(({ needs }) => needs)), onEvent);
  parts.engines = engines;
  const services = new ServicesProcess({
    ...options,
    program: options.program ?? fileURLToPath(import.meta.resolve("./services/product-process.ts")),
    definitions,
    context,
    engines,
    publicPort,
    signal: AbortSignal.any([options.signal, failing.signal]),
    onEvent,
    onLine: (line) => {
      context.logs.write("services", line);
      terminal.serviceLine(line);
    },
  });
  parts.services = services;
  await settle([engines.ready(), services.start()], failing);
  options.signal.throwIfAborted();
  failing.signal.throwIfAborted();
  const startedAt = new Date().toISOString();
  const record = () =>
    recordInstance(
      context,
      { publicPort, engines, services },
      {
        startedAt,
        definitions,
      },
    );
  recordAgain = () => void record().catch((error: unknown) => terminal.say(String(error)));
  return record();
}

/** Waits for all of them; as soon as one fails, the others are made to give up. */
async function settle(parts: readonly Promise<unknown>[], failing: AbortController): Promise<void> {
  await Promise.allSettled(
    parts.map((part) => part.catch((error: unknown) => failing.abort(error))),
  );
}

/** Writes `runtime.json` with the numbers that the processes have now. */
async function recordInstance(
  context: InstanceContext,
  parts: Required<Parts>,
  facts: { startedAt: string; definitions: readonly ServiceDefinition[] },
): Promise<Runtime> {
  const { postgres, clickhouse } = await parts.engines.ready();
  const names = facts.definitions.map(({ name }) => name);
  const smtpUrl = `smtp://127.0.0.1:${context.port("smtp")}`;
  const runtime: Runtime = {
    pid: process.pid,
    startedAt: facts.startedAt,
    origin: parts.publicPort.origin,
    ...(postgres && { postgres: { superuserUrl: postgres.url, ownerUrl: ownerUrl(context) } }),
    ...(clickhouse && { clickhouse: { url: clickhouse.url, database: CLICKHOUSE_DATABASE } }),
    ...(names.includes("mail") && { mail: { smtpUrl, webUrl: serviceUrl(context, "mail") } }),
    services: Object.fromEntries(names.map((name) => [name, serviceUrl(context, name)])),
    processes: await recordProcesses([
      { name: "postgres", pid: postgres?.pid(), stopSignal: "SIGINT" },
      { name: "clickhouse", pid: clickhouse?.pid() },
      { name: "services", pid: parts.services.pid() },
    ]),
  };
  await writeRuntime(context.dataDir, runtime);
  return runtime;
}

/** The public side and the services first, engines last. */
async function stopParts(parts: Parts, context: InstanceContext): Promise<void> {
  const steps = [
    () => parts.publicPort?.close(),
    () => parts.services?.stop(),
    () => parts.engines?.stop(),
    () => context.close(),
  ];
  const failures: unknown[] = [];
  for (const step of steps) {
    // One part that cannot be stopped must not keep the others running.
    await step()?.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "Not everything could be stopped");
}
