import { join } from "node:path";
import { fileURLToPath } from "node:url";

import {
  CLICKHOUSE_DATABASE,
  clickhouseUrl,
  databaseUrl,
  ownerUrl,
  serviceUrl,
  smtpUrl,
} from "../addresses.ts";
import type { InstanceContext } from "../instance-context.ts";
import type { ServiceDefinition } from "./service-definition.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

function ledgerUrl(context: InstanceContext): string {
  return databaseUrl(context, "ledger_app", context.secrets.ledgerPassword);
}

function jobsUrl(context: InstanceContext): string {
  return databaseUrl(context, "jobs_app", context.secrets.jobsPassword);
}

function ledgerKeys({ secrets }: InstanceContext): Record<string, string> {
  return {
    LEDGER_WRAPPING_KEY: secrets.ledgerWrappingKey,
    LEDGER_LOOKUP_KEY: secrets.ledgerLookupKey,
  };
}

const mail: ServiceDefinition = {
  name: "mail",
  load: async () => (await import("../mail/mail-catcher.ts")).openMailCatcher,
  background: true,
  needs: [],
  routes: [],
  environment: ({ dataDir, port }) => ({
    MAIL_DIR: join(dataDir, "mail"),
    SMTP_PORT: String(port("smtp")),
  }),
};

const ledger: ServiceDefinition = {
  name: "ledger",
  load: async () => (await import("./open-ledger.ts")).openLedgerService,
  migrate: async ({ DATABASE_OWNER_URL: ownerUrl = "" }) =>
    (await import("@pro-talent/ledger/migrate")).migrateLedger(ownerUrl),
  needs: ["postgres"],
  routes: ["/api/consent", "/api/contact", "/api/newsletter"],
  environment: (context, origin) => ({
    ...ledgerKeys(context),
    DATABASE_OWNER_URL: ownerUrl(context),
    DATABASE_URL: ledgerUrl(context),
    INTERNAL_TOKEN: context.secrets.internalToken,
    PUBLIC_ORIGIN: origin,
    // All visitors of this machine have the same address.
    FORMS_PER_MINUTE: "600",
  }),
};

const collector: ServiceDefinition = {
  name: "collector",
  load: async () => (await import("@pro-talent/collector/service")).openCollector,
  migrate: async ({
    DATABASE_OWNER_URL: ownerUrl = "",
    CLICKHOUSE_URL: clickhouseUrl = "",
    CLICKHOUSE_DATABASE: database = "",
  }) => {
    const { migrateCollector } = await import("@pro-talent/collector/migrate");
    return migrateCollector({ ownerUrl, clickhouseUrl, database });
  },
  needs: ["postgres", "clickhouse"],
  routes: ["/api/analytics"],
  environment: (context) => ({
    DATABASE_OWNER_URL: ownerUrl(context),
    DATABASE_URL: databaseUrl(context, "collector_app", context.secrets.collectorPassword),
    LEDGER_URL: serviceUrl(context, "ledger"),
    INTERNAL_TOKEN: context.secrets.internalToken,
    CLICKHOUSE_URL: clickhouseUrl(context),
    CLICKHOUSE_DATABASE: CLICKHOUSE_DATABASE,
    SPOOL_DIR: join(context.dataDir, "spool"),
    COLLECTOR_KEY: context.secrets.collectorKey,
    LOCATIONS_LOADED: "on_first_use",
  }),
};

/** Jobs wait in the product's own database; in containers the same setting leads to Redis. */
const jobs: ServiceDefinition = {
  name: "jobs",
  load: async () => (await import("./open-ledger.ts")).openLedgerWorker,
  background: true,
  migrate: async ({ DATABASE_OWNER_URL: ownerUrl = "", QUEUE_URL: queueUrl = "" }) =>
    (await import("@pro-talent/jobs/migrate")).migrateJobs({ queueUrl, ownerUrl }),
  needs: ["postgres"],
  routes: [],
  environment: (context, origin) => ({
    ...ledgerKeys(context),
    DATABASE_OWNER_URL: ownerUrl(context),
    QUEUE_URL: jobsUrl(context),
    DATABASE_URL: jobsUrl(context),
    LEDGER_DATABASE_URL: ledgerUrl(context),
    SMTP_URL: smtpUrl(context),
    PUBLIC_ORIGIN: origin,
  }),
};

const site: ServiceDefinition = {
  name: "site",
  load: async () => (await import("@pro-talent/site/service")).openSite,
  needs: [],
  routes: ["/"],
  environment: (_context, origin) => ({
    WEB_DIST: join(root, "web/dist"),
    PUBLIC_ORIGIN: origin,
  }),
};

/** The services of the product and its mail catcher; each needs at most those before it. */
export const productServices: readonly ServiceDefinition[] = [mail, ledger, collector, jobs, site];
