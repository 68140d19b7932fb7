import { join } from "node:path";

import { provisionPostgres } from "../postgres/provision.ts";
import { DATABASE, OWNER_ROLE } from "../postgres/roles.ts";
import { USER } from "./clickhouse/authentication.ts";
import { type RunningClickhouse, startClickhouse } from "./clickhouse/start-clickhouse.ts";
import type { InstanceContext } from "./instance-context.ts";
import { type RunningPostgres, startPostgres } from "./postgres/start-postgres.ts";
import type { ProcessEvent } from "./process/process-spec.ts";
import type { Engine } from "./services/service-definition.ts";
import { timed } from "./timing.ts";

export const CLICKHOUSE_DATABASE = "pro_talent";

/** What an engine is once it runs. */
type RunningEngines = { postgres: RunningPostgres; clickhouse: RunningClickhouse };

/** The engines of one instance while they start, run and stop; they start side by side. */
export class Engines {
  readonly #started: { [Name in Engine]?: Promise<RunningEngines[Name]> } = {};

  constructor(
    context: InstanceContext,
    wanted: ReadonlySet<Engine>,
    onEvent: (event: ProcessEvent) => void,
  ) {
    if (wanted.has("postgres"))
      this.#started.postgres = timed("postgres", startProvisioned(context, onEvent));
    if (wanted.has("clickhouse")) {
      const clickhouse = startClickhouse({
        dataDir: join(context.dataDir, "clickhouse"),
        port: context.port("clickhouse"),
        password: context.secrets.clickhousePassword,
        onLog: (line) => context.logs.write("clickhouse", line),
        onEvent,
      });
      this.#started.clickhouse = timed("clickhouse", clickhouse);
    }
    // A failure concerns only those who wait for the engine; it must not end the process.
    for (const starting of Object.values(this.#started)) starting.catch(() => undefined);
  }

  /**
   * Resolves with those that are part of this instance, when all of them run.
   * @throws when one failed to start
   */
  async ready(): Promise<Partial<RunningEngines>> {
    const [postgres, clickhouse] = await Promise.all([
      this.#started.postgres,
      this.#started.clickhouse,
    ]);
    return {
      ...(postgres === undefined ? {} : { postgres }),
      ...(clickhouse === undefined ? {} : { clickhouse }),
    };
  }

  /** Stops what runs, and what is still starting as soon as it runs. */
  async stop(): Promise<void> {
    const settled = await Promise.allSettled(
      Object.values(this.#started).map(async (starting) => {
        const engine = await starting.catch(() => undefined);
        await engine?.stop();
      }),
    );
    for (const result of settled) if (result.status === "rejected") throw result.reason;
  }
}

async function startProvisioned(
  context: InstanceContext,
  onEvent: (event: ProcessEvent) => void,
): Promise<RunningPostgres> {
  const { secrets } = context;
  const server = await startPostgres({
    dataDir: join(context.dataDir, "postgres"),
    port: context.port("postgres"),
    password: secrets.postgresPassword,
    onLog: (line) => context.logs.write("postgres", line),
    onEvent,
  });
  try {
    const provisioned = provisionPostgres({
      adminUrl: server.url,
      ownerPassword: secrets.ownerPassword,
      servicePasswords: {
        ledger_app: secrets.ledgerPassword,
        collector_app: secrets.collectorPassword,
        jobs_app: secrets.jobsPassword,
      },
    });
    await timed("provisioning", provisioned);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Address of the product's database for a role, on the embedded Postgres. */
export function databaseUrl(context: InstanceContext, role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${context.port("postgres")}/${DATABASE}`;
}

/** Address of the product's database for its owner. */
export function ownerUrl(context: InstanceContext): string {
  return databaseUrl(context, OWNER_ROLE, context.secrets.ownerPassword);
}

/** Address of the embedded ClickHouse, with user and password. */
export function clickhouseUrl({ port, secrets }: InstanceContext): string {
  return `http://${USER}:${secrets.clickhousePassword}@127.0.0.1:${port("clickhouse")}`;
}
