import { join } from "node:path";

import { provisionPostgres } from "../postgres/provision.ts";
import { DATABASE, OWNER_ROLE } from "../postgres/roles.ts";
import { startClickhouse } from "./clickhouse/start-clickhouse.ts";
import type { Ground } from "./ground.ts";
import { type RunningMailCatcher, startMailCatcher } from "./mail/start-mail-catcher.ts";
import { type RunningPostgres, startPostgres } from "./postgres/start-postgres.ts";
import { type ProcessEvent, StartFailure } from "./process/process-spec.ts";
import type { Engine } from "./service-definition.ts";
import { timed } from "./timing.ts";

export const CLICKHOUSE_DATABASE = "pro_talent";

/** What an engine is once it runs. */
export type RunningEngines = {
  postgres: RunningPostgres;
  clickhouse: Awaited<ReturnType<typeof startClickhouse>>;
  mail: RunningMailCatcher;
};

/** The engines of one instance while they start, run and stop; they start side by side. */
export class Engines {
  readonly #started: { [Name in Engine]?: Promise<RunningEngines[Name]> } = {};

  constructor(
    ground: Ground,
    wanted: ReadonlySet<Engine>,
    report: { onEvent: (event: ProcessEvent) => void; onNotice: (text: string) => void },
  ) {
    const { onEvent } = report;
    if (wanted.has("postgres"))
      this.#started.postgres = timed("postgres", startProvisioned(ground, onEvent));
    if (wanted.has("clickhouse")) {
      this.#started.clickhouse = timed("clickhouse", startNamedClickhouse(ground, report.onNotice));
    }
    if (wanted.has("mail")) {
      const mail = startMailCatcher({
        dataDir: join(ground.dataDir, "mail"),
        smtpPort: ground.port("smtp"),
        webPort: ground.port("mail"),
        onLog: (line) => ground.logs.write("mail", line),
        onEvent,
      });
      this.#started.mail = timed("mail catcher", mail);
    }
    // Whoever needs an engine hears of its failure; nobody else must crash over it.
    for (const starting of Object.values(this.#started)) starting.catch(() => undefined);
  }

  /**
   * Resolves when all of these run; the others are absent from the result.
   * @throws when one failed to start, or is not part of this instance
   */
  async ready(names: Iterable<Engine>): Promise<Partial<RunningEngines>> {
    const wanted = new Set(names);
    for (const name of wanted) {
      if (this.#started[name] === undefined) throw new Error(`The engine ${name} is not started`);
    }
    const [postgres, clickhouse, mail] = await Promise.all([
      wanted.has("postgres") ? this.#started.postgres : undefined,
      wanted.has("clickhouse") ? this.#started.clickhouse : undefined,
      wanted.has("mail") ? this.#started.mail : undefined,
    ]);
    return {
      ...(postgres === undefined ? {} : { postgres }),
      ...(clickhouse === undefined ? {} : { clickhouse }),
      ...(mail === undefined ? {} : { mail }),
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

/** Prefix of the lines in which the engine's keeper speaks, not the engine. */
const KEEPER = "The embedded ClickHouse";

async function startNamedClickhouse(
  ground: Ground,
  onNotice: (text: string) => void,
): Promise<RunningEngines["clickhouse"]> {
  try {
    return await startClickhouse({
      dataDir: join(ground.dataDir, "clickhouse"),
      port: ground.port("clickhouse"),
      password: ground.secrets.clickhousePassword,
      onLog: (line) => {
        ground.logs.write("clickhouse", line);
        if (line.startsWith(KEEPER)) onNotice(line);
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure("clickhouse", `could not be started: ${reason}`, []);
  }
}

async function startProvisioned(
  ground: Ground,
  onEvent: (event: ProcessEvent) => void,
): Promise<RunningPostgres> {
  const { secrets } = ground;
  const server = await startPostgres({
    dataDir: join(ground.dataDir, "postgres"),
    port: ground.port("postgres"),
    password: secrets.postgresPassword,
    onLog: (line) => ground.logs.write("postgres", line),
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
export function databaseUrl(ground: Ground, role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${ground.port("postgres")}/${DATABASE}`;
}

/** Address of the product's database for its owner. */
export function ownerUrl(ground: Ground): string {
  return databaseUrl(ground, OWNER_ROLE, ground.secrets.ownerPassword);
}
