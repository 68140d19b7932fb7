import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { testClockFile } from "@pro-talent/platform/runtime/operator";

import type { PublicPort } from "../gateway/public-port.ts";
import type { InstanceContext, InstanceSettings } from "../instance-context.ts";
import { giveWay } from "../process/give-way.ts";
import type { ProcessSpec } from "../process/process-spec.ts";
import { SupervisedProcess } from "../process/supervised-process.ts";
import type { HostedServices } from "./host-services.ts";
import type { ServiceDefinition } from "./service-definition.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Migrations of a large database included. */
const READY_WITHIN_MS = 120_000;
/** Long enough to ship and deliver what is under way. */
const STOP_WITHIN_MS = 20_000;

export type ServicesOptions = Pick<ProcessSpec, "name" | "onEvent" | "onLine"> & {
  /** The script that hosts them. */
  program: string;
  services: readonly ServiceDefinition[];
  context: InstanceContext;
  /** Settles once the services have what they need; asked again when the process starts again. */
  mayOpen: () => Promise<unknown>;
  /** Scheme, host and port of the gateway. */
  origin: string;
  /** Handed over to the process once it is ready; left out for services in the background. */
  publicPort?: PublicPort;
  /** Called once the services are open. */
  onOpen?: () => void;
  logLevel: string;
  stopWithinMs?: number;
};

/**
 * A process that hosts services of an instance. It loads them while the engines start; once it is
 * ready, it has the public port. Without one it has a low priority, so that it never delays the
 * answers of another where cores are few.
 */
export function servicesProcess(options: ServicesOptions): SupervisedProcess {
  const { services, publicPort, mayOpen, onOpen, stopWithinMs = STOP_WITHIN_MS } = options;
  const describe = (child: ChildProcess): void => {
    child.once("exit", () => void publicPort?.takeBack().catch(() => undefined));
    if (publicPort === undefined) giveWay(child.pid ?? 0, constants.priority.PRIORITY_LOW);
    mayOpen().then(
      () => child.send(describeServices(options), () => undefined),
      // The start as a whole fails with what was waited for.
      () => undefined,
    );
  };
  return new SupervisedProcess({
    name: options.name,
    program: { script: options.program, args: services.map(({ name }) => name) },
    // The caller's environment stays visible, so that any setting of a service can be tried out.
    environment: { ...process.env, LOG_LEVEL: options.logLevel },
    directory: root,
    readyWithinMs: READY_WITHIN_MS,
    stopSignal: "SIGTERM",
    stopWithinMs,
    onLaunch: describe,
    onReady: async (child) => {
      await publicPort?.handOver(child);
      onOpen?.();
    },
    onLine: options.onLine,
    onEvent: options.onEvent,
  });
}

function describeServices({ services, context, origin }: ServicesOptions): HostedServices {
  return services.map(({ name, routes, environment }) => ({
    name,
    port: context.port(name),
    routes: [...routes],
    environment: serviceEnvironment({ environment }, context, origin),
  }));
}

/** What a service of an instance reads; the test clock is the mark of an embedded one. */
export function serviceEnvironment(
  { environment }: Pick<ServiceDefinition, "environment">,
  settings: InstanceSettings,
  origin: string,
): Record<string, string> {
  const file = join(settings.dataDir, testClockFile);
  return { ...environment(settings, origin), TEST_CLOCK_FILE: file };
}
