import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

import { CLICKHOUSE_DATABASE, clickhouseUrl, databaseUrl, type Engines } from "../engines.ts";
import type { PublicPort } from "../gateway/public-port.ts";
import type { InstanceContext } from "../instance-context.ts";
import type { ProcessEvent } from "../process/process-spec.ts";
import { SupervisedProcess } from "../process/supervised-process.ts";
import { timed } from "../timing.ts";
import type { HostedServices } from "./host-services.ts";
import type { ServiceDefinition, Surroundings } from "./service-definition.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Migrations of a large database included. */
const READY_WITHIN_MS = 120_000;
/** Long enough to ship and deliver what is under way. */
const STOP_WITHIN_MS = 20_000;

export type ServicesOptions = {
  /** The script that hosts them. */
  program: string;
  definitions: readonly ServiceDefinition[];
  context: InstanceContext;
  engines: Engines;
  publicPort: PublicPort;
  logLevel: string;
  /** Ends a start that is under way. */
  signal: AbortSignal;
  stopWithinMs?: number;
  onEvent: (event: ProcessEvent) => void;
  onLine: (line: string) => void;
};

/** The process that hosts the services of an instance behind its public port. */
export class ServicesProcess {
  readonly #options: ServicesOptions;
  readonly #process: SupervisedProcess;

  constructor(options: ServicesOptions) {
    const { publicPort, stopWithinMs = STOP_WITHIN_MS } = options;
    this.#options = options;
    this.#process = new SupervisedProcess({
      name: "services",
      program: { script: options.program, args: options.definitions.map(({ name }) => name) },
      // The caller's environment stays visible, so that any setting of a service can be tried out.
      environment: { ...process.env, LOG_LEVEL: options.logLevel },
      directory: root,
      readyWithinMs: READY_WITHIN_MS,
      stopSignal: "SIGTERM",
      stopWithinMs,
      onLaunch: (child) => this.#describeServices(child),
      onReady: (child) => publicPort.handOver(child),
      onLine: options.onLine,
      onEvent: options.onEvent,
    });
  }

  pid(): number | undefined {
    return this.#process.pid();
  }

  /**
   * Starts the process, which waits for the engines; resolves when every service is ready and
   * answers on the public port.
   * @throws {StartFailure} with the last lines of the process
   */
  async start(): Promise<void> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    const giveUp = (): void => void this.#process.stop();
    signal.addEventListener("abort", giveUp, { once: true });
    await timed("services", this.#process.start()).finally(() =>
      signal.removeEventListener("abort", giveUp),
    );
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  #describeServices(child: ChildProcess): void {
    const { definitions, context, engines, publicPort } = this.#options;
    const services: HostedServices = definitions.map(({ name, routes, environment }) => ({
      name,
      port: context.port(name),
      routes: [...routes],
      environment: environment(surroundingsOf(context, publicPort.origin)),
    }));
    child.once("exit", () => void publicPort.takeBack().catch(() => undefined));
    void engines.ready().then(
      () => child.send(services, () => undefined),
      // The start as a whole fails with the engine.
      () => undefined,
    );
  }
}

function surroundingsOf(context: InstanceContext, publicOrigin: string): Surroundings {
  return {
    dataDir: context.dataDir,
    secrets: context.secrets,
    databaseUrl: (role, password) => databaseUrl(context, role, password),
    clickhouseUrl: clickhouseUrl(context),
    clickhouseDatabase: CLICKHOUSE_DATABASE,
    smtpPort: context.port("smtp"),
    publicOrigin,
    serviceUrl: (name) => serviceUrl(context, name),
  };
}

/** Base address of a service, past the gateway. */
export function serviceUrl(context: InstanceContext, name: string): string {
  return `http://127.0.0.1:${context.port(name)}`;
}
