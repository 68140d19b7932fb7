import { CLICKHOUSE_DATABASE, type Engines, ownerUrl } from "./engines.ts";
import type { Gateway } from "./gateway/start-gateway.ts";
import type { Ground } from "./ground.ts";
import { recordProcesses } from "./leftovers.ts";
import type { RunningService } from "./running-service.ts";
import { type Runtime, writeRuntime } from "./runtime-file.ts";
import type { Engine } from "./service-definition.ts";

/**
 * Describes an instance that runs.
 * @returns writes `runtime.json` with the numbers that the processes have now, and returns it
 */
export async function prepareRecord(instance: {
  ground: Ground;
  gateway: Gateway;
  engines: Engines;
  services: readonly RunningService[];
  wanted: readonly Engine[];
}): Promise<() => Promise<Runtime>> {
  const { ground, gateway, engines, services } = instance;
  const { postgres, clickhouse, mail } = await engines.ready(instance.wanted);
  const startedAt = new Date().toISOString();
  return async () => {
    const runtime: Runtime = {
      pid: process.pid,
      startedAt,
      origin: gateway.origin,
      ...(postgres && { postgres: { superuserUrl: postgres.url, ownerUrl: ownerUrl(ground) } }),
      ...(clickhouse && { clickhouse: { url: clickhouse.url, database: CLICKHOUSE_DATABASE } }),
      ...(mail && { mail: { smtpUrl: mail.smtpUrl, webUrl: mail.webUrl } }),
      services: Object.fromEntries(services.map(({ definition, url }) => [definition.name, url])),
      processes: await recordProcesses([
        { name: "postgres", pid: postgres?.pid(), stopSignal: "SIGINT" },
        { name: "clickhouse", pid: clickhouse?.pid() },
        { name: "mail catcher", pid: mail?.pid() },
        ...services.map((service) => ({ name: service.definition.name, pid: service.pid() })),
      ]),
    };
    await writeRuntime(ground.dataDir, runtime);
    return runtime;
  };
}
