import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { OWNER_ROLE } from "../../postgres/roles.ts";
import type { Environment, ServiceDefinition, Surroundings } from "./service-definition.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

function ownerUrl({ databaseUrl, secrets }: Surroundings): string {
  return databaseUrl(OWNER_ROLE, secrets.ownerPassword);
}

function ledgerUrl({ databaseUrl, secrets }: Surroundings): string {
  return databaseUrl("ledger_app", secrets.ledgerPassword);
}

function collectorUrl({ databaseUrl, secrets }: Surroundings): string {
  return databaseUrl("collector_app", secrets.collectorPassword);
}

/** Jobs wait in the product's own database; in containers the same setting leads to Redis. */
function queueUrl({ databaseUrl, secrets }: Surroundings): string {
  return databaseUrl("jobs_app", secrets.jobsPassword);
}

function ledgerKeys({ secrets }: Surroundings): Record<string, string> {
  return {
    LEDGER_WRAPPING_KEY: secrets.ledgerWrappingKey,
    LEDGER_LOOKUP_KEY: secrets.ledgerLookupKey,
  };
}

function valueOf(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}

const mail: ServiceDefinition = {
  name: "mail",
  load: async () => (await import("../mail/mail-catcher.ts")).openMailCatcher,
  needs: [],
  routes: [],
  environment: ({ dataDir, smtpPort }) => ({
    MAIL_DIR: join(dataDir, "mail"),
    SMTP_PORT: String(smtpPort),
  }),
};

const ledger: ServiceDefinition = {
  name: "ledger",
  load: async () => (await import("@pro-talent/ledger/service")).openLedgerService,
  migrate: async (environment) => {
    const { migrateLedger } = await import("@pro-talent/ledger/migrate");
    const queueUrl = valueOf(environment, "QUEUE_URL");
    await migrateLedger(valueOf(environment, "DATABASE_OWNER_URL"), queueUrl);
  },
  needs: ["postgres"],
  routes: ["/api/consent", "/api/contact", "/api/newsletter"],
  environment: (around) => ({
    ...ledgerKeys(around),
    DATABASE_OWNER_URL: ownerUrl(around),
    DATABASE_URL: ledgerUrl(around),
    QUEUE_URL: queueUrl(around),
    INTERNAL_TOKEN: around.secrets.internalToken,
    PUBLIC_ORIGIN: around.publicOrigin,
    // All visitors of this machine have the same address.
    FORMS_PER_MINUTE: "600",
  }),
};

const collector: ServiceDefinition = {
  name: "collector",
  load: async () => (await import("@pro-talent/collector/service")).openCollector,
  migrate: async (environment) => {
    const { migrateCollector } = await import("@pro-talent/collector/migrate");
    await migrateCollector({
      ownerUrl: valueOf(environment, "DATABASE_OWNER_URL"),
      clickhouseUrl: valueOf(environment, "CLICKHOUSE_URL"),
      database: valueOf(environment, "CLICKHOUSE_DATABASE"),
      queueUrl: valueOf(environment, "QUEUE_URL"),
    });
  },
  needs: ["postgres", "clickhouse"],
  routes: ["/api/analytics"],
  environment: (around) => ({
    DATABASE_OWNER_URL: ownerUrl(around),
    DATABASE_URL: collectorUrl(around),
    QUEUE_URL: queueUrl(around),
    LEDGER_URL: around.serviceUrl("ledger"),
    INTERNAL_TOKEN: around.secrets.internalToken,
    CLICKHOUSE_URL: around.clickhouseUrl,
    CLICKHOUSE_DATABASE: around.clickhouseDatabase,
    SPOOL_DIR: join(around.dataDir, "spool"),
    COLLECTOR_KEY: around.secrets.collectorKey,
    LOCATIONS_LOADED: "on_first_use",
  }),
};

const ledgerWorker: ServiceDefinition = {
  name: "ledger-worker",
  load: async () => (await import("@pro-talent/ledger/service")).openLedgerWorker,
  needs: ["postgres"],
  routes: [],
  environment: (around) => ({
    ...ledgerKeys(around),
    DATABASE_URL: ledgerUrl(around),
    QUEUE_URL: queueUrl(around),
    SMTP_URL: `smtp://127.0.0.1:${around.smtpPort}`,
    PUBLIC_ORIGIN: around.publicOrigin,
  }),
};

const collectorWorker: ServiceDefinition = {
  name: "collector-worker",
  load: async () => (await import("@pro-talent/collector/service")).openCollectorWorker,
  needs: ["postgres"],
  routes: [],
  environment: (around) => ({ DATABASE_URL: collectorUrl(around), QUEUE_URL: queueUrl(around) }),
};

const site: ServiceDefinition = {
  name: "site",
  load: async () => (await import("@pro-talent/site/service")).openSite,
  needs: [],
  routes: ["/"],
  environment: ({ publicOrigin }) => ({
    WEB_DIST: join(root, "web/dist"),
    PUBLIC_ORIGIN: publicOrigin,
  }),
};

/** The services of the product and its mail catcher; each needs at most those before it. */
export const productServices: readonly ServiceDefinition[] = [
  mail,
  ledger,
  collector,
  ledgerWorker,
  collectorWorker,
  site,
];
