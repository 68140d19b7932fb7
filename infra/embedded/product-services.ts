import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";

import { OWNER_ROLE } from "../postgres/roles.ts";
import type { ServiceDefinition, Surroundings } from "./service-definition.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The gateway calls from here, and sets the forwarding headers itself. */
const GATEWAY = "127.0.0.1";

function ownerUrl({ databaseUrl, secrets }: Surroundings): string {
  return databaseUrl(OWNER_ROLE, secrets.ownerPassword);
}

function ledgerUrl({ databaseUrl, secrets }: Surroundings): string {
  return databaseUrl("ledger_app", secrets.ledgerPassword);
}

function ledgerKeys({ secrets }: Surroundings): Record<string, string> {
  return {
    LEDGER_WRAPPING_KEY: secrets.ledgerWrappingKey,
    LEDGER_LOOKUP_KEY: secrets.ledgerLookupKey,
  };
}

const ledger: ServiceDefinition = {
  name: "ledger",
  main: join(root, "services/ledger/main.ts"),
  migrate: join(root, "services/ledger/migrate.ts"),
  needs: ["postgres"],
  routes: ["/api/consent", "/api/contact", "/api/newsletter"],
  bodyBytesMax: 64 * 1024,
  environment: (around) => ({
    ...ledgerKeys(around),
    DATABASE_URL: ledgerUrl(around),
    INTERNAL_TOKEN: around.secrets.internalToken,
    PUBLIC_ORIGIN: around.publicOrigin,
    // Everybody on this machine has the same address.
    FORMS_PER_MINUTE: "600",
    TRUSTED_PROXIES: GATEWAY,
  }),
  migrationEnvironment: (around) => ({ DATABASE_OWNER_URL: ownerUrl(around) }),
};

const collector: ServiceDefinition = {
  name: "collector",
  main: join(root, "services/collector/main.ts"),
  migrate: join(root, "services/collector/migrate.ts"),
  needs: ["postgres", "clickhouse"],
  routes: ["/api/analytics"],
  bodyBytesMax: analyticsLimits.bodyBytesMax,
  environment: (around) => ({
    DATABASE_URL: around.databaseUrl("collector_app", around.secrets.collectorPassword),
    LEDGER_URL: around.serviceUrl("ledger"),
    INTERNAL_TOKEN: around.secrets.internalToken,
    CLICKHOUSE_URL: around.clickhouseUrl(),
    CLICKHOUSE_DATABASE: around.clickhouseDatabase,
    SPOOL_DIR: join(around.dataDir, "spool"),
    COLLECTOR_KEY: around.secrets.collectorKey,
    TRUSTED_PROXIES: GATEWAY,
  }),
  migrationEnvironment: (around) => ({
    DATABASE_OWNER_URL: ownerUrl(around),
    CLICKHOUSE_URL: around.clickhouseUrl(),
    CLICKHOUSE_DATABASE: around.clickhouseDatabase,
  }),
};

/** Jobs wait in the product's own database; in containers the same setting leads to Redis. */
function queueUrl({ databaseUrl, secrets }: Surroundings): string {
  return databaseUrl("jobs_app", secrets.jobsPassword);
}

const jobs: ServiceDefinition = {
  name: "jobs",
  main: join(root, "services/jobs/main.ts"),
  migrate: join(root, "services/jobs/migrate.ts"),
  needs: ["postgres"],
  routes: [],
  bodyBytesMax: 64 * 1024,
  environment: (around) => ({
    ...ledgerKeys(around),
    QUEUE_URL: queueUrl(around),
    DATABASE_URL: around.databaseUrl("jobs_app", around.secrets.jobsPassword),
    LEDGER_DATABASE_URL: ledgerUrl(around),
    SMTP_URL: around.smtpUrl,
    PUBLIC_ORIGIN: around.publicOrigin,
  }),
  migrationEnvironment: (around) => ({
    QUEUE_URL: queueUrl(around),
    DATABASE_OWNER_URL: ownerUrl(around),
  }),
};

const site: ServiceDefinition = {
  name: "site",
  main: join(root, "services/site/main.ts"),
  needs: [],
  routes: ["/"],
  bodyBytesMax: 64 * 1024,
  environment: ({ publicOrigin }) => ({
    WEB_DIST: join(root, "web/dist"),
    PUBLIC_ORIGIN: publicOrigin,
    TRUSTED_PROXIES: GATEWAY,
  }),
};

/** The services of the product, in the order in which they depend on each other. */
export const productServices: readonly ServiceDefinition[] = [ledger, collector, jobs, site];
