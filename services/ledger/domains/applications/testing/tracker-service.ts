import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDirectoryStore } from "@pro-talent/platform/files/file-store";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";

import { buildLedgerApp } from "../../../app.ts";
import type { DomainModule, WorkerContext } from "../../../kernel/module.ts";
import { sweepTimers } from "../../../kernel/timers.ts";
import {
  createTestLedger,
  type TestDatabase,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { applicationsModule } from "../module.ts";
import type { LinkOpens } from "../opens.ts";

const log = createLogger({ service: "test", level: "silent" });

/** A signed-in browser. */
export type Applicant = {
  readonly accountId: string;
  readonly email: string;
  /** Of the signed-in browser's calls. */
  readonly authorization: string;
  readonly send: (
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    payload?: object,
    key?: string,
  ) => Promise<LightMyRequestResponse>;
};

export type TrackerService = {
  readonly module: DomainModule;
  readonly worker: WorkerContext;
  readonly ledger: TestLedger;
  readonly app: FastifyInstance;
  /** Another instance of the same service; with `none`, one that reads from the primary alone. */
  readonly openInstance: (replica?: "none") => Promise<FastifyInstance>;
  /** Where files are stored. */
  readonly directory: string;
  /** An account with a plan that includes the tracker, or without one. */
  readonly applicant: (plan?: "premium" | "none", language?: Locale) => Promise<Applicant>;
  /** The plan of an account has ended. */
  readonly endPlan: (accountId: string) => Promise<void>;
  /** A link of an account. @returns its id */
  readonly link: (accountId: string) => Promise<string>;
  /** What the insights service knows, by the ids of links; undefined: it does not answer. */
  opens: ReadonlyMap<string, LinkOpens> | undefined;
  readonly now: () => Instant;
  /** The clocks of service and database show a time so far ahead of that of the machine. */
  readonly setAhead: (ms: number) => Promise<void>;
  /** Does what is due, as one worker does. @returns how many timers were fired */
  readonly sweep: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/**
 * Applications over a ledger of their own, with a clock that tests move.
 * @param database an empty, migrated ledger; a new one of the test engines when absent
 * @param replicaUrl of a replica of it, to be read from
 */
export async function openTrackerService(
  database?: TestDatabase,
  replicaUrl?: string,
): Promise<TrackerService> {
  const ledger = await createTestLedger({ max: 16, database });
  const directory = await mkdtemp(join(tmpdir(), "applications-"));
  let aheadMs = 0;
  const clock = (): number => Date.now() + aheadMs;
  const known = new Map<string, { readonly email: string; readonly language: Locale }>();
  const module = applicationsModule({
    files: openDirectoryStore(directory),
    contactOf: async (accountId) => {
      const own = known.get(accountId);
      const timeZone = "Asia/Jerusalem";
      return own && { ...own, fullName: "Noa Levi", address: "", timeZone };
    },
    opensOf: async () => {
      if (service.opens === undefined) throw new Error("Insights is away");
      return service.opens;
    },
  });
  const tokens = new Map<string, SignedIn>();
  const openInstance = (replica?: "none"): Promise<FastifyInstance> =>
    buildLedgerApp({
      ...ledger,
      clock,
      log,
      replicaUrl: replica === "none" ? undefined : replicaUrl,
      keys: ledger.testKeys.keys,
      formsPerMinute: 10_000,
      readsPerMinute: 10_000,
      environment: {},
      modules: [module],
      sessions: {
        ofToken: async (token) => tokens.get(token),
        ofTicket: async () => undefined,
        ofAccessToken: async () => undefined,
      },
    });
  const app = await openInstance();
  const mailer = {
    send: async () => undefined,
    reachable: async () => true,
    close: async () => undefined,
  };
  const worker = { ...ledger, clock, mailer, stopping: new AbortController().signal };
  const handlers = module.timers(worker, {});
  const service: TrackerService = {
    module,
    worker,
    ledger,
    app,
    openInstance,
    directory,
    opens: new Map(),
    applicant: async (plan = "premium", language = "en") => {
      const [accountId, token] = [randomUUID(), randomUUID()];
      const email = `${accountId}@example.com`;
      known.set(accountId, { email, language });
      const session = { accountId, sessionId: randomUUID(), roles: ["holder" as const] };
      tokens.set(token, { ...session, factor: true, authenticatedMs: clock() });
      if (plan === "premium")
        await ledger.owner`
          insert into ledger.billing_entitlement (account_id, plan, pos) values (${accountId}, ${plan}, 0)`;
      const authorization = `Bearer ${token}`;
      return {
        accountId,
        email,
        authorization,
        send: async (method, url, payload, key = randomUUID()) => {
          const headers = { authorization, "idempotency-key": key };
          return await app.inject({ method, url, headers, ...(payload && { payload }) });
        },
      };
    },
    endPlan: async (accountId) => {
      await ledger.owner`delete from ledger.billing_entitlement where account_id = ${accountId}`;
    },
    link: async (accountId) => {
      const linkId = randomUUID();
      await ledger.owner`
        insert into ledger.link (link_id, account_id, target, locked, revoked, taken_down, reports, created_at, pos)
        values (${linkId}, ${accountId}, 'file', false, false, false, 0, now(), 0)`;
      return linkId;
    },
    now: () => instantFromMs(clock()),
    setAhead: async (ms) => {
      aheadMs = ms;
      await ledger.owner`
        insert into ledger.test_clock (ahead) values (interval '1 ms' * ${ms})
        on conflict (one) do update set ahead = excluded.ahead`;
    },
    sweep: () => sweepTimers({ sql: ledger.sql, handlers, log }),
    close: async () => {
      await app.close();
      await Promise.all([ledger.drop(), rm(directory, { recursive: true })]);
    },
  };
  return service;
}
