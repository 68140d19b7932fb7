import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { startScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";

import { OWNER_ROLE } from "../postgres/roles.ts";
import { drainMs, startDrillGateway } from "./drill-gateway.ts";
import {
  type DrillContext,
  migrate,
  processUnderDrill,
  type ServiceUnderDrill,
  startDatabase,
} from "./drill-services.ts";
import { backlogBytes, queriesOn, stoppableClickhouse } from "./drill-stack.ts";

/** Reached through the gateway, each before those that call it. */
const served = ["accounts", "ledger", "collector"] as const;
const kinds = [
  ...served,
  "ledger-worker",
  "collector-worker",
  "accounts-worker",
  "studio-worker",
] as const;
type Kind = (typeof kinds)[number];

/** How many processes of each kind run. */
export type Instances = Readonly<Record<Kind, number>>;

type Gateway = Awaited<ReturnType<typeof startDrillGateway>>;
type Environment = Record<string, string>;

/** Engines, several processes of each service and of each worker, and the gateway before them. */
export type InstancesStack = Awaited<ReturnType<typeof startInstancesStack>>;

/** Starts everything in `directory`, which must be empty. */
export async function startInstancesStack(directory: string, instances: Instances) {
  const database = await startDatabase(directory);
  const { context } = database;
  const clickhouse = await stoppableClickhouse(join(directory, "clickhouse"));
  const smtp = await startScriptedSmtp();
  const store = { CLICKHOUSE_URL: clickhouse.url };
  await migrate(context, "ledger");
  if (instances.accounts + instances["accounts-worker"] > 0) await migrate(context, "accounts");
  if (instances["studio-worker"] > 0) await migrate(context, "studio");
  await migrate(context, "collector", store);
  const secrets = { ...secretsIn(directory), ...store, SMTP_URL: smtp.url };
  const internal: Gateway[] = [];
  const addresses: Environment = {};
  const groups = new Map<string, ServiceUnderDrill[]>();
  for (const kind of kinds) {
    const isServed = served.some((name) => name === kind);
    const made = await group(context, kind, instances[kind], (n) => ({
      ...secrets,
      ...addresses,
      ...(isServed && { DRAIN_MS: String(drainMs) }),
      ...(kind === "collector" && { SPOOL_DIR: join(directory, `spool-${n}`) }),
    }));
    groups.set(kind, made);
    if (!isServed) continue;
    // Services reach each other through the gateway's policy too.
    const gateway = await startDrillGateway({ [kind]: made.map(({ url }) => url) }, () => kind);
    internal.push(gateway);
    addresses[`${kind.toUpperCase()}_URL`] = gateway.url;
  }
  const processes = [...groups.values()].flat();
  await Promise.all(processes.map((service) => service.start()));
  const urlsOf = (kind: string) => (groups.get(kind) ?? []).map(({ url }) => url);
  const gateway = await startDrillGateway(
    { collector: urlsOf("collector"), ledger: urlsOf("ledger") },
    (path) => (path.startsWith("/api/analytics/") ? "collector" : "ledger"),
  );
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 2, applicationName: "drill" });
  return {
    processes,
    gateway,
    owner,
    smtp,
    ...queriesOn(clickhouse.url),
    untilShipped: (deadlineMs: number) =>
      until(
        "every collector has shipped its spool",
        async () =>
          (await Promise.all((groups.get("collector") ?? []).map(backlogBytes))).every(
            (bytes) => bytes === 0,
          ),
        deadlineMs,
      ),
    stop: async (): Promise<void> => {
      gateway.stop();
      await Promise.all(processes.map((service) => service.stop()));
      for (const each of internal) each.stop();
      await Promise.all([owner.end(), smtp.stop(), clickhouse.stop()]);
      await database.stop();
    },
  };
}

async function group(
  context: DrillContext,
  kind: Kind,
  count: number,
  environmentOf: (n: number) => Environment,
): Promise<ServiceUnderDrill[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, n) =>
      processUnderDrill(context, kind, {
        instance: `${kind}-${n + 1}`,
        environment: environmentOf(n),
      }),
    ),
  );
}

const secretsIn = (directory: string): Environment => ({
  ACCOUNTS_KEY: randomBytes(32).toString("hex"),
  ACCOUNTS_KEY_STORE: pathToFileURL(join(directory, "accounts-keys.json")).href,
  STUDIO_KEY: randomBytes(32).toString("hex"),
  STUDIO_KEY_STORE: pathToFileURL(join(directory, "studio-keys.json")).href,
  COLLECTOR_KEY: randomBytes(32).toString("hex"),
  // The load comes from one address, whose place nothing here needs.
  FORMS_PER_MINUTE: "1000000",
  LOCATIONS_LOADED: "on_first_use",
});
