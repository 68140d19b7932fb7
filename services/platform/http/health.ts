import type { FastifyInstance } from "fastify";
import { Gauge, Histogram, type Registry } from "prom-client";

export type ReadinessCheck = { name: string; check: () => Promise<boolean> };

/**
 * `GET /healthz` (the process runs and is not about to stop: what a gateway asks before it sends more),
 * `GET /readyz` (it can do its work: 200, or 503 with the names of what is missing; `facts` adds what
 * does not decide but helps to understand) and
 * `GET /metrics` (Prometheus text), which has the requests and the memory of each process.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  options: {
    ready: readonly ReadinessCheck[];
    metrics: Registry;
    facts?: () => Readonly<Record<string, string | number | boolean>>;
  },
): void {
  measureRequests(app, options.metrics);
  app.get("/healthz", async (_request, reply) => {
    const { begun } = app.draining;
    return reply.code(begun ? 503 : 200).send({ status: begun ? "stopping" : "ok" });
  });
  app.get("/readyz", async (_request, reply) => {
    const missing: string[] = app.draining.begun ? ["not stopping"] : [];
    for (const { name, check } of options.ready) {
      if (!(await check().catch(() => false))) missing.push(name);
    }
    return reply
      .code(missing.length === 0 ? 200 : 503)
      .send({ ready: missing.length === 0, missing, ...options.facts?.() });
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type(options.metrics.contentType).send(await options.metrics.metrics()),
  );
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const own: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** Labels are patterns of routes and classes of status, never input. */
function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const seconds = new Histogram({
    name: "http_request_seconds",
    help: "Duration of requests, by pattern of the route and class of the status",
    labelNames: ["route", "status"] as const,
    buckets: secondsBuckets,
    registers: [metrics],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    if (!own.has(route)) seconds.observe({ route, status }, reply.elapsedTime / 1000);
    done();
  });
  new Gauge({
    name: "process_memory_bytes",
    help: "Resident memory of the process",
    registers: [metrics],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
}
