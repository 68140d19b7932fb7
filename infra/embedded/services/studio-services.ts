import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { databaseUrl, ownerUrl, serviceUrl } from "../addresses.ts";
import type { InstanceSettings } from "../instance-context.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** Where the keys of CVs are, and what opens them. */
export function studioKeys({
  dataDir,
  secrets,
}: Pick<InstanceSettings, "dataDir" | "secrets">): Record<string, string> {
  return {
    STUDIO_KEY: secrets.studioKey,
    STUDIO_KEY_STORE: pathToFileURL(join(dataDir, "studio-keys.json")).href,
  };
}

/** What both processes of the studio have in common. */
function studioStores(context: InstanceSettings, origin: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl(context, "studio_app", context.secrets.studioPassword),
    ...studioKeys(context),
    INTERNAL_TOKEN: context.secrets.internalToken,
    PUBLIC_ORIGIN: origin,
  };
}

/** Needs the functions of the accounts service that say whose a session is. */
export const studio: ServiceDefinition = {
  name: "studio",
  load: async () => (await import("@pro-talent/studio/service")).openStudioService,
  migrate: async ({ DATABASE_OWNER_URL: ownerUrl = "", QUEUE_URL: queueUrl = "" }) =>
    (await import("@pro-talent/studio/migrate")).migrateStudio(ownerUrl, queueUrl),
  demo: async () => (await import("@pro-talent/studio/demo")).studioDemo,
  needs: ["postgres"],
  routes: ["/api/cvs", "/api/portfolio"],
  environment: (context, origin) => ({
    DATABASE_OWNER_URL: ownerUrl(context),
    QUEUE_URL: databaseUrl(context, "jobs_app", context.secrets.jobsPassword),
    ...studioStores(context, origin),
    CALLS_PER_MINUTE: "6000",
    FILES_PER_MINUTE: "600",
    LEDGER_URL: serviceUrl(context, "ledger"),
  }),
};

/** Keeps current files, and turns the epochs of the keys. */
export const studioWorker: ServiceDefinition = {
  name: "studio-worker",
  load: async () => (await import("@pro-talent/studio/service")).openStudioWorker,
  background: true,
  needs: ["postgres"],
  routes: [],
  environment: (context, origin) => ({
    ...studioStores(context, origin),
    QUEUE_URL: databaseUrl(context, "jobs_app", context.secrets.jobsPassword),
    LEDGER_URL: serviceUrl(context, "ledger"),
    ACCOUNTS_URL: serviceUrl(context, "accounts"),
  }),
};
