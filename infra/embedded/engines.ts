import { join } from "node:path";

import { provisionPostgres } from "../postgres/provision.ts";
import { startClickhouse } from "./clickhouse/start-clickhouse.ts";
import type { InstanceContext } from "./instance-context.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import type { ProcessEvent } from "./process/process-spec.ts";
import type { Engine } from "./services/service-definition.ts";

/** An engine that runs. */
export type RunningEngine = { pid: () => number | undefined; stop: () => Promise<void> };

type OnEvent = (event: ProcessEvent) => void;

/** The engines of one instance while they start, run and stop; they start side by side. */
export class Engines {
  readonly #starting: ReadonlyMap<Engine, Promise<RunningEngine>>;

  constructor(context: InstanceContext, wanted: Iterable<Engine>, onEvent: OnEvent) {
    const starters = { postgres: startProvisioned, clickhouse: startNamedClickhouse };
    this.#starting = new Map(
      Array.from(new Set(wanted), (name) => [name, starters[name](context, onEvent)]),
    );
    // A failure concerns only those who wait for the engine; it must not end the process.
    for (const starting of this.#starting.values()) starting.catch(() => undefined);
  }

  /**
   * Resolves with the engines when all of them run.
   * @throws when one failed to start
   */
  async ready(): Promise<ReadonlyMap<Engine, RunningEngine>> {
    const pairs = [...this.#starting].map(
      async ([name, starting]) => [name, await starting] as const,
    );
    return new Map(await Promise.all(pairs));
  }

  /** Stops what runs, and what is still starting as soon as it runs. */
  async stop(): Promise<void> {
    const stopping = [...this.#starting.values()].map(async (starting) => {
      const engine = await starting.catch(() => undefined);
      await engine?.stop();
    });
    for (const result of await Promise.allSettled(stopping)) {
      if (result.status === "rejected") throw result.reason;
    }
  }
}

function startNamedClickhouse(context: InstanceContext, onEvent: OnEvent): Promise<RunningEngine> {
  return startClickhouse({
    givesWay: true,
    dataDir: join(context.dataDir, "clickhouse"),
    port: context.port("clickhouse"),
    password: context.secrets.clickhousePassword,
    onLog: (line) => context.logs.write("clickhouse", line),
    onEvent,
  });
}

async function startProvisioned(
  context: InstanceContext,
  onEvent: OnEvent,
): Promise<RunningEngine> {
  const { secrets } = context;
  const server = await startPostgres({
    dataDir: join(context.dataDir, "postgres"),
    port: context.port("postgres"),
    password: secrets.postgresPassword,
    onLog: (line) => context.logs.write("postgres", line),
    onEvent,
  });
  try {
    await provisionPostgres({
      adminUrl: server.url,
      ownerPassword: secrets.ownerPassword,
      servicePasswords: {
        ledger_app: secrets.ledgerPassword,
        ledger_keeper: secrets.keeperPassword,
        collector_app: secrets.collectorPassword,
        accounts_app: secrets.accountsPassword,
        insights_app: secrets.insightsPassword,
        studio_app: secrets.studioPassword,
        jobs_app: secrets.jobsPassword,
      },
      operatorPasswords: {
        ledger_operator: secrets.operatorPassword,
        ledger_verifier: secrets.verifierPassword,
        ledger_inbox: secrets.inboxPassword,
      },
    });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
