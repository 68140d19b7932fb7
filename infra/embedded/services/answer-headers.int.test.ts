import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { RunningService } from "@pro-talent/platform/runtime/run-service";
import {
  asRole,
  createTestClickhouse,
  createTestPostgres,
  type TestClickhouse,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { copyFonts } from "@pro-talent/site/testing/copy-fonts";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

import { type InstanceContext, openInstance } from "../instance-context.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { productServices } from "./product-services.ts";
import type { ServiceDefinition } from "./service-definition.ts";

const origin = "https://pro-talent.example";
const log = createLogger({ service: "test", level: "silent" });
const names = productServices.map(({ name }) => name);
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

type Opened = RunningService & { paths: ReadonlySet<string> };

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let postgres: TestPostgres;
let clickhouse: TestClickhouse;
let context: InstanceContext;
const opened = new Map<string, Opened>();
/** Of all answers. */
const statuses = new Set<number>();

const Initialized = z.object({
  fastify: z.custom<FastifyInstance>((value) => typeof value === "object" && value !== null),
});

/** Opens a service and notes the path of each route that it registers. */
async function open({ load, migrate, environment, name }: ServiceDefinition): Promise<Opened> {
  const paths = new Set<string>();
  const watch = (message: unknown): void => {
    const { fastify } = Initialized.parse(message);
    fastify.addHook("onRoute", ({ url }) => void paths.add(url));
  };
  const { ownerUrl } = postgres;
  const variables = {
    ...environment(context, origin),
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_URL: asRole(ownerUrl, name.startsWith("ledger") ? "ledger_app" : "collector_app"),
    QUEUE_URL: asRole(ownerUrl, "jobs_app"),
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_DATABASE: clickhouse.database,
    WEB_DIST: join(directory.path, "site"),
  };
  const openService = await load();
  await migrate?.(variables);
  subscribe("fastify.initialization", watch);
  const service = await openService(variables, log);
  unsubscribe("fastify.initialization", watch);
  await service.app.ready();
  return { ...service, paths };
}

/** As little of a built site as the service takes. */
async function writeSite(): Promise<void> {
  const dist = join(directory.path, "site");
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
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  [postgres, clickhouse] = await Promise.all([createTestPostgres(), createTestClickhouse()]);
  const dataDir = join(directory.path, "data");
  context = await openInstance({ dataDir, origin, serviceNames: names });
  await writeSite();
  for (const definition of productServices) opened.set(definition.name, await open(definition));
});
afterAll(async () => {
  for (const service of [...opened.values()].toReversed()) await service.close();
  await context.close();
  await Promise.all([postgres.drop(), clickhouse.drop()]);
  await directory.remove();
});

/** Every method on every path, without a body, with a wrong one and with one that is too large. */
async function askEverything({ app, paths }: Opened): Promise<[string, LightMyRequestResponse][]> {
  const urls = [...paths].map((path) => path.replaceAll(/:\w+/g, "x").replace("*", "nothing"));
  const answers: [string, LightMyRequestResponse][] = [];
  for (const url of [...urls, "/nothing/here", "/api/nothing", "/internal/nothing", "/%zz"]) {
    for (const method of methods) {
      const bodies =
        method === "POST" ? [undefined, {}, { text: "a".repeat(200_000) }] : [undefined];
      for (const payload of bodies) {
        const answer = await app.inject({ method, url, ...(payload && { payload }) });
        answers.push([`${method} ${url} ${answer.statusCode}`, answer]);
      }
    }
  }
  return answers;
}

/** Pages, files and share images say themselves how long they may be kept. */
const saysItself = (name: string, { headers }: LightMyRequestResponse): boolean =>
  name === "site" && /^(?:private|public)/.test(String(headers["cache-control"]));

test.each(names)("every answer of %s protects itself", async (name) => {
  const service = opened.get(name);
  if (service === undefined) throw new Error(`${name} is not open`);
  const answers = await askEverything(service);
  const unprotected = answers.filter(
    ([, { headers }]) =>
      headers["x-content-type-options"] !== "nosniff" ||
      // The mail catcher has an address of its own, on this machine.
      (headers["strict-transport-security"] !== undefined) !== (name !== "mail"),
  );
  expect(unprotected.map(([call]) => call)).toEqual([]);
  const kept = answers.filter(
    ([, answer]) => answer.headers["cache-control"] !== "no-store" && !saysItself(name, answer),
  );
  expect(kept.map(([call]) => call)).toEqual([]);
  for (const [, { statusCode }] of answers) statuses.add(statusCode);
});

test("the routes of all services were asked, those between services too, and answered in every way", () => {
  const paths = [...opened.values()].flatMap((service) => [...service.paths]);
  const known = [
    "/healthz /readyz /metrics /lang /api/og /api/contact/send /api/analytics/session/start",
    "/internal/consent/decisions /internal/newsletter/bounces",
  ];
  expect(paths).toEqual(expect.arrayContaining(known.join(" ").split(" ")));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 413, 422]));
});
