import rateLimit from "@fastify/rate-limit";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";

import { consentHistory } from "./consent/consent-history.projection.ts";
import { addDecisionRoute, addReceiptRoutes, type ConsentRoutes } from "./consent/routes.ts";
import { addContactRoutes } from "./contact/routes.ts";
import type { EventStore } from "./event-store/event-store.ts";
import { runProjections } from "./event-store/run-projections.ts";
import { createLedgerMetrics } from "./metrics.ts";
import { addBounceRoute } from "./newsletter/bounces.routes.ts";
import { addNewsletterRoutes } from "./newsletter/routes.ts";
import { newsletterTokenKey } from "./newsletter/token.ts";
import { projections } from "./projections.ts";
import { openSubjects, type SubjectKeys } from "./subjects/subjects.ts";

export type LedgerDependencies = {
  /** Pool of the role `ledger_app`. */
  readonly sql: Sql;
  readonly log: Logger;
  readonly clock: Clock;
  readonly internalToken: string;
  readonly subjectKeys: SubjectKeys;
  /** Where the site is, as in `https://example.com`. */
  readonly publicOrigin: string;
  /** Forms of a kind that one address may send in a minute. */
  readonly formsPerMinute: number;
  readonly trustedProxies?: readonly string[];
  /** Receipts that one address may ask for in a minute. */
  readonly receiptsPerMinute?: number;
};

/** The ledger's HTTP service. Following projections run from its start until it is closed. */
export async function buildLedgerApp(dependencies: LedgerDependencies): Promise<FastifyInstance> {
  const { sql, log, clock, internalToken } = dependencies;
  const metrics = createLedgerMetrics(sql);
  const app = buildServer({ log, trustedProxies: dependencies.trustedProxies ?? [] });
  const runner = runProjections({ sql, projections, log });
  app.addHook("onClose", () => runner.stop());
  addHealthRoutes(app, {
    metrics: metrics.registry,
    ready: [
      { name: "postgres", check: async () => (await sql`select from ledger.head`).length === 1 },
      { name: "projections", check: async () => runner.failing().length === 0 },
    ],
  });
  const store = { sql, observe: metrics.observeAppend };
  const consent: ConsentRoutes = {
    store,
    clock,
    internalToken,
    catchUpHistory: () => runner.catchUp(consentHistory.name),
  };
  await app.register(async (scope) => addDecisionRoute(scope, consent));
  await app.register(async (scope) => {
    await limitRate(scope, dependencies.receiptsPerMinute ?? 60);
    addReceiptRoutes(scope, consent);
  });
  await addFormRoutes(app, dependencies, store);
  return app;
}

async function addFormRoutes(
  app: FastifyInstance,
  dependencies: LedgerDependencies,
  store: EventStore,
): Promise<void> {
  const { sql, clock, internalToken, subjectKeys, publicOrigin, formsPerMinute } = dependencies;
  const subjects = openSubjects(sql, subjectKeys);
  const tokenKey = newsletterTokenKey(subjectKeys.lookupKey);
  // Forms may come in floods, and what follows from them is relayed by commits of its own.
  const shared: EventStore = { ...store, durable: "before the answer" };
  const forms = { store: shared, subjects, clock, publicOrigin, formsPerMinute };
  await app.register((scope) => addContactRoutes(scope, forms));
  await app.register((scope) => addNewsletterRoutes(scope, { ...forms, tokenKey }));
  await app.register(async (scope) => addBounceRoute(scope, { store, clock, internalToken }));
}

/** Ids cannot be guessed; the limit keeps anybody from trying. Addresses stay in memory only. */
async function limitRate(scope: FastifyInstance, perMinute: number): Promise<void> {
  await scope.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, context) =>
      new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  });
}
