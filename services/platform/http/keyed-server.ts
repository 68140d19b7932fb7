import type { FastifyInstance } from "fastify";
import { Counter, Registry } from "prom-client";

import type { Queryable, Sql } from "../postgres/pool.ts";
import { buildServer, type ServerOptions } from "./build-server.ts";
import { addHealthRoutes } from "./health.ts";
import { addReads } from "./reads.ts";

type KeyedServerOptions = Omit<ServerOptions, "onProblem"> & {
  /** Its name begins the names of its metrics. */
  readonly service: string;
  readonly sql: Sql;
  /** Of a replica, for calls that may lag. */
  readonly replicaUrl?: string | undefined;
  /** @throws while what is stored can not be opened */
  readonly dataKeys: { readonly requireUsable: (sql: Queryable) => Promise<void> };
};

/**
 * The server of a service whose rows are sealed, with its health and metrics: it is ready with its database and its
 * key, and counts what it refuses.
 */
export function buildKeyedServer(options: KeyedServerOptions): FastifyInstance {
  const { service, sql, replicaUrl, dataKeys, ...server } = options;
  const metrics = new Registry();
  const refusals = new Counter({
    name: `${service}_refusals_total`,
    help: "Refused calls, by the code of the problem",
    labelNames: ["code"] as const,
    registers: [metrics],
  });
  const app = buildServer({ ...server, onProblem: (code) => refusals.inc({ code }) });
  addReads(app, { sql, replicaUrl, metrics });
  addHealthRoutes(app, {
    metrics,
    ready: [
      { name: "postgres", check: async () => (await sql`select`).length === 1 },
      { name: "key", check: () => dataKeys.requireUsable(sql).then(() => true) },
    ],
  });
  return app;
}
