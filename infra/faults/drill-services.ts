import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { choosePort } from "../embedded/ports.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { provisionPostgres } from "../postgres/provision.ts";
import { DATABASE, OWNER_ROLE, type ServiceRole } from "../postgres/roles.ts";
import { runOnce, ServiceUnderDrill } from "./service-under-drill.ts";

/** What the services of one drill share. */
export type DrillContext = {
  /** Where each service writes its log file. */
  logs: string;
  /** Address of the product's database for one of its roles. */
  databaseUrl: (role: ServiceRole | typeof OWNER_ROLE) => string;
  internalToken: string;
  keys: { wrappingKey: Buffer; lookupKey: Buffer };
};

type Environment = Record<string, string>;
type Programs = {
  main: string;
  migration: string;
  environment: (context: DrillContext) => Environment;
  migrationEnvironment: (context: DrillContext) => Environment;
};

const forOwner = ({ databaseUrl }: DrillContext): Environment => ({
  DATABASE_OWNER_URL: databaseUrl(OWNER_ROLE),
});

const forLedger = ({ keys }: DrillContext): Environment => ({
  LEDGER_WRAPPING_KEY: keys.wrappingKey.toString("hex"),
  LEDGER_LOOKUP_KEY: keys.lookupKey.toString("hex"),
  PUBLIC_ORIGIN: "http://localhost:3000",
});

/** Every service that drills and benches start: the one place to change when its programs move. */
const services = {
  ledger: {
    main: "ledger/main.ts",
    migration: "ledger/migrate.ts",
    environment: (context) => ({
      ...forLedger(context),
      DATABASE_URL: context.databaseUrl("ledger_app"),
      INTERNAL_TOKEN: context.internalToken,
    }),
    migrationEnvironment: forOwner,
  },
  collector: {
    main: "collector/main.ts",
    migration: "collector/migrate.ts",
    environment: (context) => ({
      DATABASE_URL: context.databaseUrl("collector_app"),
      CLICKHOUSE_DATABASE: DATABASE,
      INTERNAL_TOKEN: context.internalToken,
      TRUSTED_PROXIES: "127.0.0.1",
      // The load comes from one address.
      CALLS_PER_MINUTE: "0",
    }),
    migrationEnvironment: (context) => ({ ...forOwner(context), CLICKHOUSE_DATABASE: DATABASE }),
  },
  worker: {
    main: "jobs/main.ts",
    migration: "jobs/migrate.ts",
    environment: (context) => ({
      ...forLedger(context),
      QUEUE_URL: context.databaseUrl("jobs_app"),
      DATABASE_URL: context.databaseUrl("jobs_app"),
      LEDGER_DATABASE_URL: context.databaseUrl("ledger_app"),
      MAIL_FROM: "Pro Talent <news@example.com>",
      SUPPORT_ADDRESS: "support@example.com",
      NEWSLETTER_PER_SECOND: "500",
      // What a worker was doing when it died is attempted again after this time.
      OUTBOX_FIRST_WAIT_MS: "1500",
    }),
    migrationEnvironment: (context) => ({
      ...forOwner(context),
      QUEUE_URL: context.databaseUrl("jobs_app"),
    }),
  },
} as const satisfies Record<string, Programs>;

export type ServiceName = keyof typeof services;

/**
 * Starts Postgres in `directory/postgres` with the product's database and roles, still without
 * tables.
 * @returns what services need, and what stops it
 */
export async function startDatabase(directory: string): Promise<{
  context: DrillContext;
  adminUrl: string;
  stop: () => Promise<void>;
}> {
  const logs = join(directory, "logs");
  await mkdir(logs, { recursive: true });
  const server = await startPostgres({ dataDir: join(directory, "postgres") });
  const password = randomBytes(24).toString("hex");
  await provisionPostgres({
    adminUrl: server.url,
    ownerPassword: password,
    servicePasswords: { ledger_app: password, collector_app: password, jobs_app: password },
  });
  const context: DrillContext = {
    logs,
    databaseUrl: (role) =>
      Object.assign(new URL(server.url), { username: role, password, pathname: `/${DATABASE}` })
        .href,
    internalToken: randomBytes(32).toString("hex"),
    keys: { wrappingKey: randomBytes(32), lookupKey: randomBytes(32) },
  };
  return { context, adminUrl: server.url, stop: () => server.stop() };
}

const fileOf = (path: string): string =>
  fileURLToPath(new URL(`../../services/${path}`, import.meta.url));

/** Brings the stores of a service to the current form. @throws with the migration's output */
export async function migrate(
  context: DrillContext,
  name: ServiceName,
  environment: Environment = {},
): Promise<void> {
  const { migration, migrationEnvironment } = services[name];
  await runOnce(fileOf(migration), { ...migrationEnvironment(context), ...environment });
}

/** One process of a service, not started yet. `instance` names it and its log file. */
export async function serviceUnderDrill(
  context: DrillContext,
  name: ServiceName,
  { instance = name, environment = {} }: { instance?: string; environment?: Environment } = {},
): Promise<ServiceUnderDrill> {
  return new ServiceUnderDrill({
    name: instance,
    file: fileOf(services[name].main),
    port: await choosePort(),
    environment: { ...services[name].environment(context), ...environment },
    logFile: join(context.logs, `${instance}.log`),
  });
}
