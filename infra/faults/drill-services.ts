import { randomBytes } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { migrateAccounts } from "@pro-talent/accounts/migrate";
import { migrateCollector } from "@pro-talent/collector/migrate";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { until } from "@pro-talent/platform/testing/until";
import { migrateStudio } from "@pro-talent/studio/migrate";

import { choosePort } from "../embedded/ports.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { SupervisedProcess } from "../embedded/process/supervised-process.ts";
import { provisionPostgres } from "../postgres/provision.ts";
import { DATABASE, OWNER_ROLE, type ServiceRole } from "../postgres/roles.ts";

type Environment = Record<string, string>;

/** What the services of one drill share. */
export type DrillContext = {
  /** Where each service writes its log file. */
  logs: string;
  /** Address of the product's database for one of its roles. */
  databaseUrl: (role: ServiceRole | typeof OWNER_ROLE) => string;
  internalToken: string;
  /** Keys of the services and where they are kept, as their processes get them. */
  keys: Environment;
};

type Program = { file: string; environment: (context: DrillContext) => Environment };

const PUBLIC_ORIGIN = "http://localhost:3000";

/** What processes of a service have: its role in the database, and what all have. */
const forRole = (
  role: ServiceRole,
  { databaseUrl, keys, internalToken }: DrillContext,
): Environment => ({
  DATABASE_URL: databaseUrl(role),
  ...keys,
  PUBLIC_ORIGIN,
  INTERNAL_TOKEN: internalToken,
});

const forLedger = (context: DrillContext): Environment => ({
  ...forRole("ledger_app", context),
  // No drill needs accounts.
  ACCOUNTS_URL: "http://127.0.0.1:9",
});

/** Every process that drills and benches start: the one place to change when its programs move. */
const programs = {
  ledger: {
    file: "ledger/main.ts",
    environment: forLedger,
  },
  "ledger-worker": {
    file: "ledger/worker.ts",
    environment: (context) => ({
      ...forLedger(context),
      DATABASE_KEEPER_URL: context.databaseUrl("ledger_keeper"),
      QUEUE_URL: context.databaseUrl("jobs_app"),
      MAIL_FROM: "Pro Talent <news@example.com>",
      SUPPORT_ADDRESS: "support@example.com",
      NEWSLETTER_PER_SECOND: "500",
      // What a worker was doing when it died is attempted again after this time.
      OUTBOX_FIRST_WAIT_MS: "1500",
    }),
  },
  accounts: {
    file: "accounts/main.ts",
    environment: (context) => forRole("accounts_app", context),
  },
  "accounts-worker": {
    file: "accounts/worker.ts",
    environment: (context) => ({
      ...forRole("accounts_app", context),
      QUEUE_URL: context.databaseUrl("jobs_app"),
    }),
  },
  collector: {
    file: "collector/main.ts",
    environment: (context) => ({
      ...forRole("collector_app", context),
      CLICKHOUSE_DATABASE: DATABASE,
      TRUSTED_PROXIES: "127.0.0.1",
      // The load comes from one address.
      CALLS_PER_MINUTE: "0",
    }),
  },
  insights: {
    file: "insights/main.ts",
    environment: (context) => ({
      ...forRole("insights_app", context),
      CLICKHOUSE_DATABASE: DATABASE,
      // What drills ask of it needs no other service.
      LEDGER_URL: "http://127.0.0.1:9",
      ACCOUNTS_URL: "http://127.0.0.1:9",
    }),
  },
  studio: {
    file: "studio/main.ts",
    environment: (context) => ({
      ...forRole("studio_app", context),
      // What drills ask of it needs no plan.
      LEDGER_URL: "http://127.0.0.1:9",
    }),
  },
  "studio-worker": {
    file: "studio/worker.ts",
    environment: (context) => ({
      ...forRole("studio_app", context),
      QUEUE_URL: context.databaseUrl("jobs_app"),
    }),
  },
  "collector-worker": {
    file: "collector/worker.ts",
    environment: (context) => ({
      ...forRole("collector_app", context),
      CLICKHOUSE_DATABASE: DATABASE,
      QUEUE_URL: context.databaseUrl("jobs_app"),
    }),
  },
} as const satisfies Record<string, Program>;

/**
 * Starts Postgres in `directory/postgres` with the product's database and roles, still without
 * tables.
 * @returns what services need, and what stops it
 */
export async function startDatabase(directory: string): Promise<{
  context: DrillContext;
  adminUrl: string;
  /** Of the server, below which its connections run. */
  pid: () => number | undefined;
  stop: () => Promise<void>;
}> {
  const logs = join(directory, "logs");
  await mkdir(logs, { recursive: true });
  const server = await startPostgres({
    dataDir: join(directory, "postgres"),
    onLog: (line) => void appendFile(join(logs, "postgres.log"), `${line}\n`),
  });
  const password = randomBytes(24).toString("hex");
  await provisionPostgres({
    adminUrl: server.url,
    ownerPassword: password,
    servicePasswords: {
      ledger_app: password,
      ledger_keeper: password,
      collector_app: password,
      accounts_app: password,
      insights_app: password,
      studio_app: password,
      jobs_app: password,
    },
  });
  const context: DrillContext = {
    logs,
    databaseUrl: (role) =>
      Object.assign(new URL(server.url), { username: role, password, pathname: `/${DATABASE}` })
        .href,
    internalToken: randomBytes(32).toString("hex"),
    keys: keysIn(directory),
  };
  return { context, adminUrl: server.url, pid: () => server.pid(), stop: () => server.stop() };
}

function keysIn(directory: string): Environment {
  const names = [
    "LEDGER_WRAPPING",
    "LEDGER_LOOKUP",
    "ACCOUNTS",
    "STUDIO",
    "COLLECTOR",
    "ANALYSTS_PSEUDONYM",
  ];
  const keys = names.map((name): [string, string] => [
    `${name}_KEY`,
    randomBytes(32).toString("hex"),
  ]);
  const stores = ["ledger", "accounts", "studio"].map((name): [string, string] => [
    `${name.toUpperCase()}_KEY_STORE`,
    pathToFileURL(join(directory, `${name}-keys.json`)).href,
  ]);
  return Object.fromEntries([...keys, ...stores]);
}

const fileOf = (path: string): string =>
  fileURLToPath(new URL(`../../services/${path}`, import.meta.url));

/**
 * Brings the stores of a service to the current form, the queue of its worker included.
 * @param clickhouseUrl of the collector's
 */
export async function migrate(
  { databaseUrl }: DrillContext,
  service: "accounts" | "collector" | "ledger" | "studio",
  clickhouseUrl = "",
): Promise<void> {
  const [ownerUrl, queueUrl] = [databaseUrl(OWNER_ROLE), databaseUrl("jobs_app")];
  const migrations = {
    accounts: () => migrateAccounts(ownerUrl, queueUrl),
    collector: () => migrateCollector({ ownerUrl, queueUrl, clickhouseUrl, database: DATABASE }),
    ledger: () => migrateLedger(ownerUrl, queueUrl),
    studio: () => migrateStudio(ownerUrl, queueUrl),
  };
  await migrations[service]();
}

/** One process with a fixed port that may be killed at any moment; then it is started again. */
export type ServiceUnderDrill = Awaited<ReturnType<typeof processUnderDrill>>;

/** One process, not started yet. `instance` names it and its log file. */
export async function processUnderDrill(
  context: DrillContext,
  name: keyof typeof programs,
  { instance = name, environment = {} }: { instance?: string; environment?: Environment } = {},
) {
  const { file, environment: environmentOf } = programs[name];
  const port = await choosePort();
  const url = `http://127.0.0.1:${port}`;
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;
  const ends: string[] = [];
  const http = { HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "info" };
  const service = new SupervisedProcess({
    name: instance,
    program: { command: process.execPath, args: [fileOf(file)], isReady },
    environment: { ...http, ...environmentOf(context), ...environment },
    directory: process.cwd(),
    readyWithinMs: 180_000,
    // A drill kills far more often than processes die in production.
    backoffMaxMs: 100,
    stopSignal: "SIGTERM",
    stopWithinMs: 30_000,
    onLine: (line) => void appendFile(join(context.logs, `${instance}.log`), `${line}\n`),
    onEvent: (event) => event.type === "died" && ends.push(event.how),
  });
  return {
    instance,
    url,
    /** How each run ended that was not stopped by `stop`. */
    ends: ends as readonly string[],
    pid: () => service.pid(),
    /** Starts it, keeps it running, and resolves when it is ready. */
    start: () => service.start(),
    /** Ends the process without warning, as a power cut would. */
    kill9: (): void => {
      const pid = service.pid();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    /** Asks the process to stop (SIGTERM); it is started again. Resolves when the new one is ready. */
    restart: async (): Promise<void> => {
      const pid = service.pid();
      if (pid === undefined) throw new Error(`${instance} does not run`);
      process.kill(pid, "SIGTERM");
      await until(`${instance} has stopped`, () => service.pid() !== pid, 60_000);
      await until(`${instance} is ready again`, () => isReady().catch(() => false), 180_000);
    },
    stop: () => service.stop(),
    /** @throws when it is not ready within three minutes */
    untilReady: () => until(`${instance} is ready`, isReady, 180_000),
  };
}
