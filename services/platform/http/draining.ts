import type { FastifyInstance } from "fastify";

/** Whether a server is about to stop: it still answers, and asks its callers to go elsewhere. */
type Draining = { begun: boolean };

declare module "fastify" {
  interface FastifyInstance {
    readonly draining: Draining;
  }
}

/**
 * Lets a server be drained: from then on each answer closes its connection, so that the next request on it
 * is sent to another instance.
 */
export function addDraining(app: FastifyInstance): void {
  const draining: Draining = { begun: false };
  app.decorate("draining", draining);
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (draining.begun) reply.header("connection", "close");
    done();
  });
}

/** From now on `GET /healthz` and `GET /readyz` answer 503, and connections are given up one by one. */
export function beginDraining(app: FastifyInstance): void {
  app.draining.begun = true;
}
