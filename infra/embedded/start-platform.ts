import { fileURLToPath } from "node:url";

import { runtimeOf } from "./addresses.ts";
import { Engines } from "./engines.ts";
import { PublicPort } from "./gateway/public-port.ts";
import { type InstanceContext, openInstance } from "./instance-context.ts";
import type { ProcessEvent } from "./process/process-spec.ts";
import type { SupervisedProcess } from "./process/supervised-process.ts";
import { recordProcesses, type Runtime, writeRuntime } from "./runtime-file.ts";
import type { ServiceDefinition } from "./services/service-definition.ts";
import { servicesProcess } from "./services/services-process.ts";
import type { Terminal } from "./terminal.ts";

const productProcess = fileURLToPath(new URL("services/product-process.ts", import.meta.url));

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

/** What has been started so far. */
type Parts = { publicPort?: PublicPort; engines?: Engines; processes?: Processes };
/** The processes that host services, by their names. */
type Processes = ReadonlyMap<string, SupervisedProcess>;

/**
 * Starts one whole instance: engines side by side, and meanwhile one process with the services behind
 * one public port, another with those in the background. When a part fails, everything is stopped.
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

async function startParts(
  options: PlatformOptions,
  context: InstanceContext,
  parts: Parts,
): Promise<Runtime> {
  const { terminal, program = productProcess } = options;
  // First of all, since a taken port should be known at once.
  const publicPort = await PublicPort.open(options.port);
  parts.publicPort = publicPort;
  let recordAgain = (): void => undefined;
  const onEvent = (event: ProcessEvent): void => {
    terminal.event(event);
    if (event.type === "restarted") recordAgain();
  };
  const onLine = (line: string): void => {
    context.logs.write("services", line);
    terminal.serviceLine(line);
  };
  const needs = options.services.flatMap((service) => service.needs);
  const engines = new Engines(context, needs, onEvent);
  parts.engines = engines;
  const { origin } = publicPort;
  const shared = { ...options, program, context, origin, onEvent, onLine };
  const services = options.services.filter(({ background }) => background !== true);
  const workers = options.services.filter(({ background }) => background === true);
  const opened = Promise.withResolvers<undefined>();
  const mayOpen = () => engines.ready();
  // Services migrate their databases before they open, and workers work on these.
  const workersMayOpen = services.length === 0 ? mayOpen : () => opened.promise;
  const processes: Processes = new Map(
    [
      {
        ...shared,
        name: "services",
        services,
        publicPort,
        mayOpen,
        onOpen: () => opened.resolve(undefined),
      },
      { ...shared, name: "workers", services: workers, mayOpen: workersMayOpen },
    ].flatMap((hosting) =>
      hosting.services.length === 0 ? [] : [[hosting.name, servicesProcess(hosting)]],
    ),
  );
  parts.processes = processes;
  await untilStarted(engines, [...processes.values()], options.signal);
  const startedAt = new Date().toISOString();
  const record = () =>
    recordInstance({ publicPort, engines, processes }, context, options, startedAt);
  recordAgain = () => void record().catch((error: unknown) => terminal.say(String(error)));
  return record();
}

/** As soon as a part fails, or the signal comes, the others give up. @throws the first reason */
async function untilStarted(
  engines: Engines,
  processes: readonly SupervisedProcess[],
  signal: AbortSignal,
): Promise<void> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const giveUp = (): void => processes.forEach((one) => void one.stop());
  either.addEventListener("abort", giveUp, { once: true });
  const starting = [engines.ready(), ...processes.map((one) => one.start())];
  await Promise.all(starting.map((part) => part.catch((error: unknown) => failing.abort(error))));
  either.removeEventListener("abort", giveUp);
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
}

/** Writes `runtime.json` with the numbers that the processes have now. */
async function recordInstance(
  { publicPort, engines, processes }: Required<Parts>,
  context: InstanceContext,
  options: PlatformOptions,
  startedAt: string,
): Promise<Runtime> {
  const running = await engines.ready();
  const runtime = runtimeOf(context, {
    startedAt,
    origin: publicPort.origin,
    engines: new Set(running.keys()),
    services: options.services.map(({ name }) => name),
    processes: await recordProcesses([
      { name: "postgres", pid: running.get("postgres")?.pid(), stopSignal: "SIGINT" },
      { name: "clickhouse", pid: running.get("clickhouse")?.pid() },
      ...Array.from(processes, ([name, one]) => ({ name, pid: one.pid() })),
    ]),
  });
  await writeRuntime(context.dataDir, runtime);
  return runtime;
}

/** The public side and the services first, engines last. */
async function stopParts(parts: Parts, context: InstanceContext): Promise<void> {
  const steps = [
    () => parts.publicPort?.close(),
    ...Array.from(parts.processes?.values() ?? [], (one) => () => one.stop()),
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
