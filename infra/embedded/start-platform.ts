import { Engines } from "./engines.ts";
import { type Gateway, type Route, startGateway } from "./gateway/start-gateway.ts";
import { type Ground, layGround } from "./ground.ts";
import type { ProcessEvent } from "./process/process-spec.ts";
import { RunningService, type ServiceSetting } from "./running-service.ts";
import type { Runtime } from "./runtime-file.ts";
import { prepareRecord } from "./runtime-record.ts";
import type { Engine, ServiceDefinition } from "./service-definition.ts";
import type { Terminal } from "./terminal.ts";

export type PlatformOptions = {
  dataDir: string;
  /** Port of the one origin; 0 takes a free one. */
  port: number;
  logLevel: string;
  services: readonly ServiceDefinition[];
  engines: readonly Engine[];
  terminal: Terminal;
  /** Ends a start that is under way. */
  signal: AbortSignal;
};

export type Platform = {
  runtime: Runtime;
  /** Real path of the data directory. */
  dataDir: string;
  /** Stops everything in order; nothing is left running. */
  stop: () => Promise<void>;
};

/**
 * Starts one whole instance: engines side by side, every service as soon as its engines run, one
 * gateway in front. When a part fails, everything is stopped again.
 * @throws {StartFailure} for the part that failed first, with its last lines
 * @throws {DataDirUnusable} when another instance runs on the directory
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const ground = await layGround({
    dataDir: options.dataDir,
    origin: `http://localhost:${options.port}`,
    serviceNames: options.services.map(({ name }) => name),
  });
  const parts: Parts = { services: [] };
  try {
    const runtime = await startParts(options, ground, parts);
    return { runtime, dataDir: ground.dataDir, stop: () => stopParts(parts, ground) };
  } catch (error) {
    await stopParts(parts, ground);
    throw error;
  }
}

/** What has been started so far. */
type Parts = { gateway?: Gateway; engines?: Engines; services: RunningService[] };

async function startParts(
  options: PlatformOptions,
  ground: Ground,
  parts: Parts,
): Promise<Runtime> {
  // First of all, since a taken port should be known at once.
  const gateway = await startGateway({ port: options.port, routes: routesOf(options, ground) });
  parts.gateway = gateway;
  const failing = new AbortController();
  const signal = AbortSignal.any([options.signal, failing.signal]);
  let recordAgain = (): void => undefined;
  const onEvent = (event: ProcessEvent): void => {
    options.terminal.event(event);
    if (event.type === "restarted") recordAgain();
  };
  const engines = new Engines(ground, new Set(options.engines), {
    onEvent,
    onNotice: (text) => options.terminal.say(`  ${text}`),
  });
  parts.engines = engines;
  const publicOrigin = gateway.origin;
  parts.services = buildServices(options, { ground, engines, publicOrigin, signal, onEvent });
  const { services } = parts;
  await settle(
    [engines.ready(options.engines), ...services.map((service) => service.start())],
    failing,
  );
  options.signal.throwIfAborted();
  failing.signal.throwIfAborted();
  const record = await prepareRecord({
    ground,
    gateway,
    engines,
    services,
    wanted: options.engines,
  });
  recordAgain = () => void record().catch((error: unknown) => options.terminal.say(String(error)));
  return record();
}

function buildServices(
  options: PlatformOptions,
  shared: Pick<ServiceSetting, "ground" | "engines" | "publicOrigin" | "signal" | "onEvent">,
): RunningService[] {
  const onLine = (name: string, line: string): void => {
    shared.ground.logs.write(name, line);
    options.terminal.serviceLine(name, line);
  };
  return options.services.map(
    (definition) =>
      new RunningService({ ...shared, definition, logLevel: options.logLevel, onLine }),
  );
}

/** Waits for all of them; as soon as one fails, the others are told to give up. */
async function settle(parts: readonly Promise<unknown>[], failing: AbortController): Promise<void> {
  await Promise.allSettled(
    parts.map((part) => part.catch((error: unknown) => failing.abort(error))),
  );
}

function routesOf(options: PlatformOptions, ground: Ground): Route[] {
  const routes = options.services.flatMap(({ name, routes: prefixes, bodyBytesMax }) => {
    const upstream = { host: "127.0.0.1", port: ground.port(name) };
    return prefixes.map((prefix) => ({ prefix, upstream, bodyBytesMax }));
  });
  // The most specific first.
  return routes.toSorted((left, right) => right.prefix.length - left.prefix.length);
}

/** The public side first, then services before those they need, engines last. */
async function stopParts(parts: Parts, ground: Ground): Promise<void> {
  const steps = [
    () => parts.gateway?.close(),
    ...parts.services.toReversed().map((service) => () => service.stop()),
    () => parts.engines?.stop(),
    () => ground.leave(),
  ];
  const failures: unknown[] = [];
  for (const step of steps) {
    // One part that cannot be stopped must not keep the others running.
    await step()?.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "Not everything could be stopped");
}
