import { randomUUID } from "node:crypto";

import { parseEnv } from "@pro-talent/platform/config/define-env";
import { openDocumentDrawer } from "@pro-talent/platform/documents/draw-documents";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { type DemoPart, type DemoPerson, demoClock } from "@pro-talent/platform/runtime/demo";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { pause } from "@pro-talent/platform/runtime/wait";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { buildLedgerApp, ledgerContext, type LedgerOptions } from "./app.ts";
import { makeApplications } from "./domains/applications/demo.ts";
import { type PastHolder, playSubscription } from "./domains/billing/demo.ts";
import { billingModule } from "./domains/billing/module.ts";
import { sandboxPayments } from "./domains/billing/payments/sandbox.ts";
import { billingAccounts, billingEvents, billingStore } from "./domains/billing/subscriptions.ts";
import { invoiceEvents } from "./domains/invoices/invoices.ts";
import { demoCv, makeLinks } from "./domains/links/demo.ts";
import { readServiceEnv } from "./env.ts";
import { catchUp } from "./kernel/follow.ts";
import { openKeyring } from "./kernel/keys/keyring.ts";
import { openLedgerKeys } from "./kernel/keys/open-keys.ts";
import { joinHandlers } from "./kernel/module.ts";
import { firePastTimers, holdingTimers } from "./kernel/past-timers.ts";
import { loadState } from "./kernel/streams.ts";
import { modules, readModels } from "./modules.ts";
import { followersOf } from "./worker-app.ts";

type Source = Readonly<Record<string, string | undefined>>;

const log = createLogger({ service: "demo", level: "silent" });
/** More than the acts and renewals of the demo need. */
const idsMax = 32;
const openedWithinMs = 20_000;

/** Six months of the premium owner's subscription, links and applications, over the calls and timers of the ledger's domains. */
export const ledgerDemo: DemoPart = {
  make: async (source, { nowMs, people, links }) => {
    demoClock(source);
    const owner = people.find(({ name }) => name === "premium");
    if (owner === undefined) throw new Error("The demo has no premium owner");
    await withPool(source, async (sql) => {
      await playPast(source, sql, owner, nowMs);
      links.push(...(await playLinks(source, sql, owner, nowMs)));
      await playApplications(source, sql, owner, nowMs);
    });
  },
  remove: async (source, people) => {
    const nowMs = demoClock(source)();
    await withPool(source, async (sql) => {
      for (const { accountId } of people) await closeBilling(source, sql, accountId, nowMs);
    });
    return [
      "The ledger keeps what was recorded of the former accounts, their invoices included: no invoice of the new past has a date before them.",
    ];
  },
};

async function withPool(source: Source, work: (sql: Sql) => Promise<void>): Promise<void> {
  const { DATABASE_URL: url } = readServiceEnv(source);
  const sql = openPool(url, { max: 6, applicationName: "demo-ledger" });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

function sandboxOf(source: Source) {
  const shape = {
    PAYMENTS_URL: z.url(),
    PAYMENTS_KEY: z.string(),
    PAYMENTS_WEBHOOK_SECRET: z.string(),
  };
  const env = parseEnv(shape, source);
  const [url, key] = [env.PAYMENTS_URL, env.PAYMENTS_KEY];
  return { url, key, webhookSecret: env.PAYMENTS_WEBHOOK_SECRET };
}

/**
 * Nothing more is charged or mailed. The card is deleted at the provider; what was paid stays paid.
 */
async function closeBilling(source: Source, sql: Sql, accountId: string, nowMs: number) {
  await sandboxPayments(sandboxOf(source)).forget(accountId);
  const cause = { actor: "operator", causationId: randomUUID(), correlationId: randomUUID() };
  const context = { now: instantFromMs(nowMs), cause };
  await billingStore({ sql, readModels }).issue(accountId, { type: "CloseAccount" }, context);
}

/** The domains as the services run them, but at times in the past. */
async function playPast(source: Source, sql: Sql, owner: DemoPerson, nowMs: number): Promise<void> {
  let atMs = owner.openedMs;
  const clock = (): number => atMs;
  const moveTo = (ms: number): number => (atMs = Math.max(atMs, ms));
  const ids = idsKnownBefore();
  const sandbox = sandboxOf(source);
  const payments = sandboxPayments({ ...sandbox, clock });
  const past = modules.map((module) =>
    module.name === "billing" ? billingModule({ payments, newId: ids.next }) : module,
  );
  const options = optionsOf(source, { sql, clock, modules: past });
  const context = ledgerContext(options, openKeyring(options));
  const { accounts } = context;
  const stopping = new AbortController().signal;
  // The past that is played asks for no opens.
  const worker = { ...context, insights: accounts, mailer: noMailer, stopping };
  const handlers = joinHandlers(
    "timer",
    past.map((module) => module.timers(worker, source)),
  );
  const followers = followersOf(past, context);
  const settle = async (): Promise<void> => {
    for (const follower of followers) await catchUp(follower);
  };
  const streams = [billingEvents.streamOf(owner.accountId), ...ids.all.map(invoiceEvents.streamOf)];
  const app = await appOf(options, owner.accountId);
  const until = async (ms: number): Promise<void> => {
    await firePastTimers({ sql, handlers, streams, untilMs: ms, settle, moveTo });
    moveTo(ms);
  };
  try {
    await holdingTimers(sql, { streams, names: Object.keys(handlers) }, async () => {
      await untilInvited(sql, owner.accountId, settle);
      await playSubscription({ until, nowMs: clock, call: callerOf(app, ids.next) }, sandbox);
      await until(nowMs);
    });
  } finally {
    await app.close();
  }
}

/** Links, each made on a day of its own. */
async function playLinks(source: Source, sql: Sql, owner: DemoPerson, nowMs: number) {
  const drawer = openDocumentDrawer();
  const { pdf } = await drawer.draw(demoCv, {}, owner.openedMs);
  await drawer.close();
  let atMs = owner.openedMs;
  const app = await appOf(optionsOf(source, { sql, clock: () => atMs, modules }), owner.accountId);
  try {
    const call = callerOf(app, randomUUID);
    const at = (ms: number): void => void (atMs = ms);
    const { accountId, openedMs } = owner;
    const made = await makeLinks({ call, at }, pdf, { openedMs, nowMs });
    return made.map((link) => ({ ...link, accountId }));
  } finally {
    await app.close();
  }
}

/** Applications with their past, to some of which a link was sent. */
async function playApplications(source: Source, sql: Sql, owner: DemoPerson, nowMs: number) {
  let atMs = owner.openedMs;
  const app = await appOf(optionsOf(source, { sql, clock: () => atMs, modules }), owner.accountId);
  try {
    const call = callerOf(app, randomUUID);
    const at = (ms: number): void => void (atMs = ms);
    await makeApplications({ call, at }, { openedMs: owner.openedMs, nowMs });
  } finally {
    await app.close();
  }
}

/** Charges have these ids, so that the timers of their documents are held before they exist. */
function idsKnownBefore() {
  const all = Array.from({ length: idsMax }, () => randomUUID());
  const left = [...all];
  const next = (): string => {
    const id = left.shift();
    if (id === undefined) throw new Error("The demo needs more ids");
    return id;
  };
  return { all, next };
}

/** Calls as the owner's browser does, each under a key of its own. */
function callerOf(app: FastifyInstance, newId: () => string): PastHolder["call"] {
  return async (name, payload) => {
    const [method, url = ""] = name.split(" ");
    const answer = await app.inject({
      method: method === "GET" ? "GET" : "POST",
      url,
      headers: {
        authorization: "Bearer demo",
        ...(method === "POST" && { "idempotency-key": newId() }),
      },
      ...(payload && { payload }),
    });
    if (answer.statusCode >= 300) throw new Error(`${name}: ${answer.body}`);
    return answer.json();
  };
}

function optionsOf(
  source: Source,
  parts: Pick<LedgerOptions, "sql" | "clock" | "modules">,
): LedgerOptions {
  const env = readServiceEnv(source);
  return {
    ...parts,
    log,
    keys: openLedgerKeys(source),
    publicOrigin: env.PUBLIC_ORIGIN,
    accounts: { url: env.ACCOUNTS_URL, internalToken: env.INTERNAL_TOKEN },
    environment: source,
  };
}

/** The ledger's calls, made by the owner alone. */
function appOf(options: LedgerOptions, accountId: string) {
  const signedIn = (): SignedIn => ({
    accountId,
    sessionId: randomUUID(),
    roles: ["holder"],
    factor: false,
    authenticatedMs: options.clock(),
  });
  return buildLedgerApp({
    ...options,
    sessions: {
      ofToken: async () => signedIn(),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
    formsPerMinute: 100_000,
    readsPerMinute: 100_000,
  });
}

/** Mails of the past are not sent; that they were is part of the invention. */
const noMailer = {
  send: async () => undefined,
  reachable: async () => true,
  close: async () => undefined,
};

/** The accounts service reports openings in its own time; with an invitation the account may buy. */
async function untilInvited(sql: Sql, accountId: string, settle: () => Promise<void>) {
  const from = performance.now();
  for (;;) {
    await settle();
    const { state } = await loadState(sql, billingAccounts, accountId);
    if (state.invited) return;
    if (performance.now() - from > openedWithinMs)
      throw new Error("The ledger does not learn of the account");
    await pause(50, new AbortController().signal);
  }
}
