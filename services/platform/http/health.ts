import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

export type ReadinessCheck = { name: string; check: () => Promise<boolean> };

/**
 * `GET /healthz` (the process runs), `GET /readyz` (it can do its work: 200, or 503 with the names
 * of what is missing; `facts` adds what does not decide but helps to understand) and
 * `GET /metrics` (Prometheus text).
 */
export function addHealthRoutes(
  app: FastifyInstance,
  options: {
    ready: readonly ReadinessCheck[];
    metrics: Registry;
    facts?: () => Readonly<Record<string, string | number | boolean>>;
  },
): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const missing: string[] = [];
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
