import type { SignInSessions } from "@pro-talent/platform/http/admission";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes, type ReadinessCheck } from "@pro-talent/platform/http/health";
import { addReads } from "@pro-talent/platform/http/reads";
import type { ServiceAddress } from "@pro-talent/platform/http/service-client";
import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";

import { addHeadRoutes } from "./heads/head-routes.ts";
import { readHeadEnv } from "./heads/head-settings.ts";
import { catchUp, followerOf, runFollowers } from "./kernel/follow.ts";
import type { LedgerKeys } from "./kernel/keys/check-keys.ts";
import { type Keyring, openKeyring } from "./kernel/keys/keyring.ts";
import { mailboxKeyLabel, openMailboxes } from "./kernel/mailboxes.ts";
import { countAppends, gaugeFollowerLag } from "./kernel/metrics.ts";
import {
  type DomainModule,
  type HttpContext,
  type LedgerContext,
  mailReturnsOf,
} from "./kernel/module.ts";
import { openSubjects } from "./kernel/subjects.ts";
import { modules as allModules } from "./modules.ts";

/** What the HTTP service and the worker have in common. */
export type LedgerOptions = {
  /** Pool of the role `ledger_app`. */
  readonly sql: Sql;
  readonly log: Logger;
  readonly clock: Clock;
  readonly keys: LedgerKeys;
  /** Of the site, as in `https://example.com`. */
  readonly publicOrigin: string;
  readonly accounts: ServiceAddress;
  /** Variables of the domains' own. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly modules?: readonly DomainModule[];
};

export type LedgerAppOptions = LedgerOptions & {
  /** How accounts are known, unless by the tables of the accounts service. */
  readonly sessions?: SignInSessions;
  /** Forms of one kind that one address may send in a minute. */
  readonly formsPerMinute: number;
  readonly readsPerMinute: number;
  /** Of a replica, as the role `ledger_app`, for calls that may lag. */
  readonly replicaUrl?: string | undefined;
  readonly trustedProxies?: readonly string[];
};

/** What the domains work with, whichever process they run in. */
export function ledgerContext(options: LedgerOptions, keyring: Keyring): LedgerContext {
  const { sql, log, clock, publicOrigin, accounts, modules = allModules } = options;
  return {
    ledger: { sql, readModels: modules.flatMap(({ readModels }) => readModels) },
    subjects: openSubjects(sql, keyring),
    mailboxes: openMailboxes(sql, keyring.deriveKeys(mailboxKeyLabel)),
    clock,
    log,
    publicOrigin,
    accounts,
    deriveKey: keyring.deriveKey,
    deriveKeys: keyring.deriveKeys,
  };
}

/** Ready while the keys of the process are those of the ledger. */
export function keysCheck(keyring: Keyring): ReadinessCheck {
  return { name: "keys", check: async () => keyring.requireUsable().then(() => true) };
}

/** The ledger's HTTP service. Following read models run from its start until it is closed. */
export async function buildLedgerApp(options: LedgerAppOptions): Promise<FastifyInstance> {
  const { sql, log, publicOrigin, accounts, modules = allModules } = options;
  const registry = new Registry();
  gaugeFollowerLag(registry, sql);
  const keyring = openKeyring(options);
  const shared = ledgerContext(options, keyring);
  const followers = shared.ledger.readModels
    .filter(({ mode }) => mode === "following")
    .map((model) => followerOf(sql, model));
  const runner = runFollowers(sql, followers, log);
  const app = buildServer({
    log,
    publicOrigin,
    trustedProxies: options.trustedProxies ?? [],
    internalToken: accounts.internalToken,
    sessions: options.sessions ?? readSignInSessions(sql, options.clock),
    clock: options.clock,
  });
  app.addHook("onClose", () => runner.stop());
  addReads(app, { sql, replicaUrl: options.replicaUrl, metrics: registry });
  addHealthRoutes(app, {
    metrics: registry,
    ready: [
      { name: "postgres", check: async () => (await sql`select from ledger.head`).length === 1 },
      keysCheck(keyring),
      { name: "read models", check: async () => runner.failing().length === 0 },
    ],
  });
  const ledger = { ...shared.ledger, observe: countAppends(registry) };
  const context: HttpContext = {
    ...shared,
    ledger,
    readingFrom: (from) => ({ ledger: { sql: from }, subjects: openSubjects(from, keyring) }),
    recordReturn: mailReturnsOf(modules, ledger),
    formsPerMinute: options.formsPerMinute,
    readsPerMinute: options.readsPerMinute,
    catchUp: (model) => catchUp(followerOf(sql, model)),
  };
  const { LEDGER_HEADS_FILE: file } = readHeadEnv(options.environment ?? {});
  await app.register((scope) =>
    addHeadRoutes(scope, { file, readsPerMinute: options.readsPerMinute }),
  );
  for (const module of modules) {
    await app.register((scope) => module.routes(scope, context, options.environment ?? {}));
  }
  return app;
}
