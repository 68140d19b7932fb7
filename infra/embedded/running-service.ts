import { fileURLToPath } from "node:url";

import { CLICKHOUSE_DATABASE, databaseUrl, type Engines } from "./engines.ts";
import type { Ground } from "./ground.ts";
import { answersOk } from "./http-ready.ts";
import { compileCache } from "./process/compile-cache.ts";
import { nodeArguments } from "./process/node-arguments.ts";
import type { ProcessEvent } from "./process/process-spec.ts";
import { runToEnd } from "./process/run-to-end.ts";
import { SupervisedProcess } from "./process/supervised-process.ts";
import type { ServiceDefinition, Surroundings } from "./service-definition.ts";
import { timed } from "./timing.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const MIGRATION_WITHIN_MS = 120_000;
const READY_WITHIN_MS = 30_000;
/** Long enough to hand over what is on the way. */
const STOP_WITHIN_MS = 8000;

export type ServiceSetting = {
  definition: ServiceDefinition;
  ground: Ground;
  engines: Engines;
  /** Scheme, host and port of the gateway. */
  publicOrigin: string;
  logLevel: string;
  /** Ends a start that is under way. */
  signal: AbortSignal;
  onEvent: (event: ProcessEvent) => void;
  onLine: (service: string, line: string) => void;
};

/** One service of an instance: migrated, started, watched and stopped. */
export class RunningService {
  readonly definition: ServiceDefinition;
  readonly url: string;
  readonly #setting: ServiceSetting;
  #process: SupervisedProcess | undefined;

  constructor(setting: ServiceSetting) {
    this.#setting = setting;
    this.definition = setting.definition;
    this.url = serviceUrl(setting.ground, setting.definition.name);
  }

  pid(): number | undefined {
    return this.#process?.pid();
  }

  /**
   * Waits for its engines, migrates its stores and starts it; resolves when it is ready.
   * @throws {StartFailure} with the last lines of the migration or the service
   */
  async start(): Promise<void> {
    const { definition, engines, signal } = this.#setting;
    const running = await engines.ready(definition.needs);
    signal.throwIfAborted();
    const around = this.#surroundings(running.clickhouse?.url);
    if (definition.migrate !== undefined) {
      const migration = runToEnd({
        name: `${definition.name} migration`,
        script: definition.migrate,
        environment: this.#environment(definition.migrationEnvironment?.(around) ?? {}),
        directory: root,
        withinMs: MIGRATION_WITHIN_MS,
        signal,
        onLine: (line) => this.#setting.onLine(definition.name, line),
      });
      await timed(`${definition.name} migration`, migration);
    }
    signal.throwIfAborted();
    const supervised = this.#supervised(around);
    this.#process = supervised;
    const giveUp = (): void => void supervised.stop();
    signal.addEventListener("abort", giveUp, { once: true });
    await timed(definition.name, supervised.start()).finally(() =>
      signal.removeEventListener("abort", giveUp),
    );
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  #supervised(around: Surroundings): SupervisedProcess {
    const { definition, ground, onEvent, onLine } = this.#setting;
    const { name } = definition;
    return new SupervisedProcess({
      name,
      command: process.execPath,
      args: nodeArguments(definition.main),
      environment: this.#environment({
        HOST: "127.0.0.1",
        PORT: String(ground.port(name)),
        ...definition.environment(around),
      }),
      directory: root,
      lifeline: "ipc",
      isReady: () => answersOk(`${this.url}/readyz`),
      readyWithinMs: READY_WITHIN_MS,
      stopSignal: "SIGTERM",
      stopWithinMs: definition.stopWithinMs ?? STOP_WITHIN_MS,
      onLine: (line) => onLine(name, line),
      onEvent,
    });
  }

  /** The caller's environment stays visible, so that any setting of a service can be tried out. */
  #environment(own: Record<string, string>): NodeJS.ProcessEnv {
    return {
      NODE_COMPILE_CACHE: compileCache,
      ...process.env,
      LOG_LEVEL: this.#setting.logLevel,
      ...own,
    };
  }

  #surroundings(clickhouseUrl: string | undefined): Surroundings {
    const { ground, definition, publicOrigin } = this.#setting;
    return {
      dataDir: ground.dataDir,
      secrets: ground.secrets,
      databaseUrl: (role, password) => databaseUrl(ground, role, password),
      clickhouseUrl: () => {
        if (clickhouseUrl === undefined) throw new Error(`${definition.name} needs no clickhouse`);
        return clickhouseUrl;
      },
      clickhouseDatabase: CLICKHOUSE_DATABASE,
      smtpUrl: `smtp://127.0.0.1:${ground.port("smtp")}`,
      publicOrigin,
      serviceUrl: (name) => serviceUrl(ground, name),
    };
  }
}

function serviceUrl(ground: Ground, name: string): string {
  return `http://127.0.0.1:${ground.port(name)}`;
}
