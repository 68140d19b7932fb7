import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import {
  CLICKHOUSE_DATABASE,
  clickhouseUrl,
  databaseUrl,
  ownerUrl,
  processAddresses,
  serviceUrl,
  smtpUrl,
} from "../addresses.ts";
import type { InstanceSettings } from "../instance-context.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { studio, studioWorker } from "./studio-services.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

function ledgerUrl(context: InstanceSettings): string {
  return databaseUrl(context, "ledger_app", context.secrets.ledgerPassword);
}

function collectorUrl(context: InstanceSettings): string {
  return databaseUrl(context, "collector_app", context.secrets.collectorPassword);
}

function accountsUrl(context: InstanceSettings): string {
  return databaseUrl(context, "accounts_app", context.secrets.accountsPassword);
}

/** Jobs wait in the product's own database; in containers the same setting leads to Redis. */
function queueUrl(context: InstanceSettings): string {
  return databaseUrl(context, "jobs_app", context.secrets.jobsPassword);
}

function ledgerStores({ dataDir, secrets }: InstanceSettings): Record<string, string> {
  return {
    LEDGER_KEY_STORE: pathToFileURL(join(dataDir, "ledger-keys.json")).href,
    FILES_URL: pathToFileURL(join(dataDir, "files")).href,
    LEDGER_WRAPPING_KEY: secrets.ledgerWrappingKey,
    LEDGER_LOOKUP_KEY: secrets.ledgerLookupKey,
  };
}

/** Where the keys of accounts are, and what opens them. */
export function accountsKeys({
  dataDir,
  secrets,
}: Pick<InstanceSettings, "dataDir" | "secrets">): Record<string, string> {
  return {
    ACCOUNTS_KEY: secrets.accountsKey,
    ACCOUNTS_KEY_STORE: pathToFileURL(join(dataDir, "accounts-keys.json")).href,
  };
}

/** How both processes of the ledger reach the sandbox, past the gateway. */
function payments(context: InstanceSettings): Record<string, string> {
  return {
    PAYMENTS: "sandbox",
    PAYMENTS_URL: serviceUrl(context, "payments-sandbox"),
    PAYMENTS_KEY: context.secrets.sandboxKey,
    PAYMENTS_WEBHOOK_SECRET: context.secrets.sandboxWebhookSecret,
  };
}

/** Beside the database, not in it. */
function headsFile({ dataDir }: InstanceSettings): string {
  return join(dataDir, "ledger-heads.jsonl");
}

/** Written by the ledger and the collector, read when a backup is restored. */
function erasureJournal({ dataDir, secrets }: InstanceSettings): Record<string, string> {
  return {
    ERASURE_JOURNAL_FILE: join(dataDir, "erasure-journal.jsonl"),
    ERASURE_JOURNAL_KEY: secrets.erasureJournalKey,
  };
}

const mail: ServiceDefinition = {
  name: "mail",
  load: async () => (await import("../mail/mail-catcher.ts")).openMailCatcher,
  background: true,
  needs: [],
  routes: [],
  environment: (context) => ({
    MAIL_DIR: join(context.dataDir, "mail"),
    SMTP_PORT: String(context.port("smtp")),
    WEB_ORIGIN: serviceUrl(context, "mail"),
    MAIL_TOKEN: context.secrets.mailToken,
  }),
};

const ledger: ServiceDefinition = {
  name: "ledger",
  load: async () => (await import("@pro-talent/ledger/service")).openLedgerService,
  migrate: async ({ DATABASE_OWNER_URL: ownerUrl = "", QUEUE_URL: queueUrl = "" }) =>
    (await import("@pro-talent/ledger/migrate")).migrateLedger(ownerUrl, queueUrl),
  demo: async () => (await import("@pro-talent/ledger/demo")).ledgerDemo,
  needs: ["postgres"],
  // The longest prefix wins: every call is the ledger's unless it is another service's.
  routes: ["/api", "/api/console/analyst/work"],
  environment: (context, origin) => ({
    ...ledgerStores(context),
    DATABASE_OWNER_URL: ownerUrl(context),
    DATABASE_URL: ledgerUrl(context),
    QUEUE_URL: queueUrl(context),
    INTERNAL_TOKEN: context.secrets.internalToken,
    PUBLIC_ORIGIN: origin,
    // All visitors of this machine have the same address.
    FORMS_PER_MINUTE: "600",
    READS_PER_MINUTE: "600",
    LEDGER_HEADS_FILE: headsFile(context),
    ERASURE_JOURNAL_FILE: join(context.dataDir, "erasure-journal.jsonl"),
    ACCOUNTS_URL: serviceUrl(context, "accounts"),
    INSIGHTS_URL: serviceUrl(context, "insights"),
    STUDIO_URL: serviceUrl(context, "studio"),
    ...payments(context),
  }),
};

const accounts: ServiceDefinition = {
  name: "accounts",
  load: async () => (await import("@pro-talent/accounts/service")).openAccountsService,
  migrate: async ({ DATABASE_OWNER_URL: ownerUrl = "", QUEUE_URL: queueUrl = "" }) =>
    (await import("@pro-talent/accounts/migrate")).migrateAccounts(ownerUrl, queueUrl),
  demo: async () => (await import("@pro-talent/accounts/demo")).accountsDemo,
  needs: ["postgres"],
  routes: ["/api/account"],
  environment: (context, origin) => ({
    DATABASE_OWNER_URL: ownerUrl(context),
    DATABASE_URL: accountsUrl(context),
    QUEUE_URL: queueUrl(context),
    ...accountsKeys(context),
    INTERNAL_TOKEN: context.secrets.internalToken,
    PUBLIC_ORIGIN: origin,
    ENTRIES_PER_MINUTE: "600",
    CALLS_PER_MINUTE: "6000",
  }),
};

const insightsRoutes = ["/api/insights", "/api/v1/opens", "/api/v1/analytics"].concat(
  ["traffic", "status", "analyst"].map((page) => `/api/console/${page}`),
);

/** Reads what the collector writes, through the views that are made for it. */
const insights: ServiceDefinition = {
  name: "insights",
  load: async () => (await import("@pro-talent/insights/service")).openInsights,
  needs: ["postgres", "clickhouse"],
  routes: insightsRoutes,
  environment: (context, origin) => ({
    DATABASE_URL: databaseUrl(context, "insights_app", context.secrets.insightsPassword),
    CLICKHOUSE_URL: clickhouseUrl(context),
    CLICKHOUSE_DATABASE: CLICKHOUSE_DATABASE,
    LEDGER_URL: serviceUrl(context, "ledger"),
    ACCOUNTS_URL: serviceUrl(context, "accounts"),
    INTERNAL_TOKEN: context.secrets.internalToken,
    ANALYSTS_PSEUDONYM_KEY: context.secrets.analystsKey,
    PROCESSES: processAddresses(context),
    PUBLIC_ORIGIN: origin,
    CALLS_PER_MINUTE: "6000",
  }),
};

/** Card payments without money: the ledger charges there, the browser is led to its pages. */
const paymentsSandbox: ServiceDefinition = {
  name: "payments-sandbox",
  load: async () => (await import("@pro-talent/payments-sandbox/service")).openPaymentsSandbox,
  needs: [],
  routes: ["/sandbox-payments"],
  environment: (context, origin) => ({
    SANDBOX_FILE: join(context.dataDir, "payments-sandbox.jsonl"),
    SANDBOX_KEY: context.secrets.sandboxKey,
    SANDBOX_WEBHOOK_SECRET: context.secrets.sandboxWebhookSecret,
    SANDBOX_WEBHOOK_URL: `${serviceUrl(context, "ledger")}/api/payments/webhooks/sandbox`,
    PUBLIC_ORIGIN: origin,
  }),
};

const collector: ServiceDefinition = {
  name: "collector",
  load: async () => (await import("@pro-talent/collector/service")).openCollector,
  migrate: async ({
    DATABASE_OWNER_URL: ownerUrl = "",
    CLICKHOUSE_URL: clickhouseUrl = "",
    CLICKHOUSE_DATABASE: database = "",
    QUEUE_URL: queueUrl = "",
  }) => {
    const { migrateCollector } = await import("@pro-talent/collector/migrate");
    return migrateCollector({ ownerUrl, clickhouseUrl, database, queueUrl });
  },
  demo: async () => (await import("@pro-talent/collector/demo")).collectorDemo,
  needs: ["postgres", "clickhouse"],
  routes: ["/api/analytics", "/l", "/v", "/p"],
  environment: (context, origin) => ({
    DATABASE_OWNER_URL: ownerUrl(context),
    DATABASE_URL: collectorUrl(context),
    QUEUE_URL: queueUrl(context),
    LEDGER_URL: serviceUrl(context, "ledger"),
    ACCOUNTS_URL: serviceUrl(context, "accounts"),
    STUDIO_URL: serviceUrl(context, "studio"),
    PUBLIC_ORIGIN: origin,
    INTERNAL_TOKEN: context.secrets.internalToken,
    CLICKHOUSE_URL: clickhouseUrl(context),
    CLICKHOUSE_DATABASE: CLICKHOUSE_DATABASE,
    SPOOL_DIR: join(context.dataDir, "spool"),
    COLLECTOR_KEY: context.secrets.collectorKey,
    ...erasureJournal(context),
    LOCATIONS_LOADED: "on_first_use",
  }),
};

const ledgerWorker: ServiceDefinition = {
  name: "ledger-worker",
  load: async () => (await import("@pro-talent/ledger/service")).openLedgerWorker,
  background: true,
  needs: ["postgres"],
  routes: [],
  environment: (context, origin) => ({
    ...ledgerStores(context),
    DATABASE_URL: ledgerUrl(context),
    DATABASE_KEEPER_URL: databaseUrl(context, "ledger_keeper", context.secrets.keeperPassword),
    QUEUE_URL: queueUrl(context),
    // The test clock is waited for at the terminal.
    TIMERS_SWEEP_MS: "1000",
    LEDGER_HEAD_SIGNING_KEY: context.secrets.ledgerHeadKey,
    LEDGER_HEADS_FILE: headsFile(context),
    SMTP_URL: smtpUrl(context),
    PUBLIC_ORIGIN: origin,
    ACCOUNTS_URL: serviceUrl(context, "accounts"),
    INSIGHTS_URL: serviceUrl(context, "insights"),
    STUDIO_URL: serviceUrl(context, "studio"),
    COLLECTOR_URL: serviceUrl(context, "collector"),
    ...erasureJournal(context),
    LOGS_DIR: join(context.dataDir, "logs"),
    INTERNAL_TOKEN: context.secrets.internalToken,
    ...payments(context),
  }),
};

const collectorWorker: ServiceDefinition = {
  name: "collector-worker",
  load: async () => (await import("@pro-talent/collector/service")).openCollectorWorker,
  background: true,
  needs: ["postgres", "clickhouse"],
  routes: [],
  environment: (context, origin) => ({
    DATABASE_URL: collectorUrl(context),
    CLICKHOUSE_URL: clickhouseUrl(context),
    CLICKHOUSE_DATABASE,
    QUEUE_URL: queueUrl(context),
    PUBLIC_ORIGIN: origin,
  }),
};

const accountsWorker: ServiceDefinition = {
  name: "accounts-worker",
  load: async () => (await import("@pro-talent/accounts/service")).openAccountsWorker,
  background: true,
  needs: ["postgres"],
  routes: [],
  environment: (context, origin) => ({
    DATABASE_URL: accountsUrl(context),
    QUEUE_URL: queueUrl(context),
    ...accountsKeys(context),
    INTERNAL_TOKEN: context.secrets.internalToken,
    LEDGER_URL: serviceUrl(context, "ledger"),
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
export const productServices: readonly ServiceDefinition[] = [
  mail,
  paymentsSandbox,
  accounts,
  ledger,
  collector,
  insights,
  studio,
  ledgerWorker,
  accountsWorker,
  studioWorker,
  collectorWorker,
  site,
];
