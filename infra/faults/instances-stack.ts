import { join } from "node:path";

import { startScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { openPool } from "@pro-talent/platform/postgres/pool";

import { drainMs } from "../docker/instance-pool.ts";
import { openProcessGateway, type ProcessGateway } from "../docker/process-gateway.ts";
import { choosePort } from "../embedded/ports.ts";
import { OWNER_ROLE } from "../postgres/roles.ts";
import {
  type DrillContext,
  migrate,
  processUnderDrill,
  type ServiceUnderDrill,
  startDatabase,
} from "./drill-services.ts";
import { queriesOn, stoppableClickhouse, untilShipped } from "./drill-stack.ts";

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
  await migrate(context, "collector", clickhouse.url);
  const shared = { ...settings, ...store, SMTP_URL: smtp.url };
  const internal: ProcessGateway[] = [];
  const addresses: Environment = {};
  const groups = new Map<string, ServiceUnderDrill[]>();
  for (const kind of kinds) {
    const isServed = served.some((name) => name === kind);
    const made = await group(context, kind, instances[kind], (n) => ({
      ...shared,
      ...addresses,
      ...(isServed && { DRAIN_MS: String(drainMs) }),
      ...(kind === "collector" && { SPOOL_DIR: join(directory, `spool-${n}`) }),
    }));
    groups.set(kind, made);
    if (!isServed) continue;
    // Services reach each other through the gateway's policy too.
    const gateway = await gatewayTo(groups, () => kind);
    internal.push(gateway);
    addresses[`${kind.toUpperCase()}_URL`] = gateway.url;
  }
  const processes = [...groups.values()].flat();
  await Promise.all(processes.map((service) => service.start()));
  const gateway = await gatewayTo(groups, (path) =>
    path.startsWith("/api/analytics/") ? "collector" : "ledger",
  );
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 2, applicationName: "drill" });
  return {
    processes,
    gateway,
    owner,
    smtp,
    ...queriesOn(clickhouse.url),
    untilShipped: (deadlineMs: number) => untilShipped(groups.get("collector") ?? [], deadlineMs),
    stop: async (): Promise<void> => {
      await gateway.close();
      await Promise.all(processes.map((service) => service.stop()));
      for (const each of internal) await each.close();
      await Promise.all([owner.end(), smtp.stop(), clickhouse.stop()]);
      await database.stop();
    },
  };
}

/** Before the processes of a service, with the policy of the Caddyfile. */
async function gatewayTo(
  groups: ReadonlyMap<string, readonly ServiceUnderDrill[]>,
  serviceOf: (path: string) => Kind,
): Promise<ProcessGateway> {
  return await openProcessGateway({
    port: await choosePort(),
    answerOf: (url) => ({ service: serviceOf(url), bytesMax: 256_000 }),
    instancesOf: (service) => (groups.get(service) ?? []).map(({ url }) => url),
  });
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

/** The load comes from one address, whose place nothing here needs. */
const settings: Environment = { FORMS_PER_MINUTE: "1000000", LOCATIONS_LOADED: "on_first_use" };
