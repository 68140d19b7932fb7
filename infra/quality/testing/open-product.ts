import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { RunningService } from "@pro-talent/platform/runtime/run-service";
import {
  asRole,
  createTestClickhouse,
  createTestPostgres,
  type testRoles,
} from "@pro-talent/platform/testing/engines";
import { copyFonts } from "@pro-talent/site/testing/copy-fonts";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { openInstance } from "../../embedded/instance-context.ts";
import { accountsKeys, productServices } from "../../embedded/services/product-services.ts";
import type { ServiceDefinition } from "../../embedded/services/service-definition.ts";
import { temporaryDirectory } from "../../embedded/testing/temporary-directory.ts";

/** A service of the product, with the routes that it registered: method and path. */
export type OpenedService = RunningService & { readonly routes: ReadonlySet<string> };

/** Of the site, as the services take it. */
const origin = "https://pro-talent.example";

const Initialized = z.object({
  fastify: z.custom<FastifyInstance>((value) => typeof value === "object" && value !== null),
});

function roleOf(service: string): (typeof testRoles)[number] {
  if (service.startsWith("ledger")) return "ledger_app";
  if (service === "insights") return "insights_app";
  if (service.startsWith("studio")) return "studio_app";
  return service.startsWith("accounts") ? "accounts_app" : "collector_app";
}

/**
 * Opens every service of the product in this process, on engines of its own, in the order of
 * `productServices`; calls reach them by `inject`.
 * @param extra variables beside those of an embedded instance
 */
export async function openProduct(extra: Readonly<Record<string, string>> = {}) {
  const directory = await temporaryDirectory();
  const clickhouse = await createTestClickhouse(clickhouseMigrations);
  const stores = (ownerUrl: string) => ({
    DATABASE_OWNER_URL: ownerUrl,
    QUEUE_URL: asRole(ownerUrl, "jobs_app"),
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_DATABASE: clickhouse.database,
  });
  const migrate = async (ownerUrl: string): Promise<void> => {
    for (const service of productServices) await service.migrate?.(stores(ownerUrl));
  };
  const postgres = await createTestPostgres({ name: "product", migrate });
  const { ownerUrl } = postgres;
  const serviceNames = productServices.map(({ name }) => name);
  const dataDir = join(directory.path, "data");
  const context = await openInstance({ dataDir, origin, serviceNames });
  const dist = await writeSite(join(directory.path, "site"));
  const services = new Map<string, OpenedService>();
  const openOne = (definition: ServiceDefinition): Promise<OpenedService> =>
    open(definition, {
      ...definition.environment(context, origin),
      ...stores(ownerUrl),
      DATABASE_URL: asRole(ownerUrl, roleOf(definition.name)),
      WEB_DIST: dist,
      ...extra,
    });
  for (const definition of productServices)
    services.set(definition.name, await openOne(definition));
  return {
    services,
    ownerUrl,
    clickhouse,
    secrets: context.secrets,
    accountsKeys: accountsKeys({ dataDir, secrets: context.secrets }),
    /** Opens a second instance of a service, which has the same stores. It is closed by its caller. */
    openAnother: async (name: string): Promise<OpenedService> => {
      const definition = productServices.find((one) => one.name === name);
      if (definition === undefined) throw new Error(`There is no service ${name}`);
      return await openOne(definition);
    },
    /** Answers calls of the services to each other. */
    listen: async () => {
      for (const [name, { app }] of services) {
        await app.listen({ host: "127.0.0.1", port: context.port(name) });
      }
    },
    close: async () => {
      for (const service of [...services.values()].toReversed()) await service.close();
      await context.close();
      await Promise.all([postgres.drop(), clickhouse.drop()]);
      await directory.remove();
    },
  };
}

/** Opens a service and notes each route that it registers. */
async function open(
  { load, migrate }: ServiceDefinition,
  variables: Readonly<Record<string, string>>,
): Promise<OpenedService> {
  const routes = new Set<string>();
  const watch = (message: unknown): void => {
    const { fastify } = Initialized.parse(message);
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) routes.add(`${one} ${url}`);
    });
  };
  const openService = await load();
  await migrate?.(variables);
  subscribe("fastify.initialization", watch);
  const log = createLogger({ service: "test", level: "silent" });
  const service = await openService(variables, log);
  unsubscribe("fastify.initialization", watch);
  await service.app.ready();
  return { ...service, routes };
}

/** As little of a built site as the service takes. */
async function writeSite(dist: string): Promise<string> {
  for (const folder of ["en", "he", "assets"]) await mkdir(join(dist, folder), { recursive: true });
  for (const page of ["index", "404", "signed-in"]) {
    for (const language of ["en", "he"])
      await writeFile(join(dist, language, `${page}.html`), page);
  }
  for (const file of ["sitemap.xml", "robots.txt", "site.webmanifest", "favicon.svg"]) {
    await writeFile(join(dist, file), file);
  }
  await writeFile(join(dist, "csp.json"), JSON.stringify({ scripts: [] }));
  await copyFonts(dist);
  return dist;
}
