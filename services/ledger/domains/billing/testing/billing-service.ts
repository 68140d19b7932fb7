import { randomUUID } from "node:crypto";

import type { Mail } from "@pro-talent/platform/mail/mailer";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { Role, SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";

import { buildLedgerApp } from "../../../app.ts";
import { idOf } from "../../../kernel/events.ts";
import type { DomainModule } from "../../../kernel/module.ts";
import {
  createTestLedger,
  testCause,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { billingModule } from "../module.ts";
import { memoryPayments } from "./memory-payments.ts";

/** An account holder's browser. */
export type Holder = {
  readonly accountId: string;
  readonly get: (path: string) => Promise<LightMyRequestResponse>;
  /** @param key of a repetition */
  readonly post: (path: string, body?: object, key?: string) => Promise<LightMyRequestResponse>;
};

export type BillingService = {
  readonly ledger: TestLedger;
  readonly app: FastifyInstance;
  readonly payments: ReturnType<typeof memoryPayments>;
  readonly mails: Mail[];
  readonly now: () => number;
  /** Moves the clock on, day by day, and fires what is due at its time. */
  readonly advance: (days: number) => Promise<void>;
  readonly holder: (roles?: readonly Role[]) => Holder;
  readonly close: () => Promise<void>;
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Billing over a ledger of its own, a provider in memory and a clock that tests move.
 * @param others further domains of the service
 */
export async function openBillingService(
  environment = { BILLING: "open" },
  others: readonly DomainModule[] = [],
): Promise<BillingService> {
  const ledger = await createTestLedger();
  const payments = memoryPayments();
  const mails: Mail[] = [];
  let ms = Date.UTC(2026, 2, 1, 9);
  const clock = (): number => ms;
  const contactOf = async () => ({
    email: "dana@example.com",
    fullName: "Dana Levi",
    address: "",
    language: "he" as const,
    timeZone: "Asia/Jerusalem",
  });
  const module = billingModule({ payments: payments.provider, contactOf });
  const tokens = new Map<string, SignedIn>();
  const options = { ...ledger, clock, log: createLogger({ service: "test", level: "silent" }) };
  const app = await buildLedgerApp({
    ...options,
    keys: ledger.testKeys.keys,
    formsPerMinute: 10_000,
    readsPerMinute: 10_000,
    environment,
    modules: [module, ...others],
    sessions: {
      ofToken: async (token) => tokens.get(token),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
  });
  const handlers = module.timers(
    {
      ...ledger,
      clock,
      stopping: new AbortController().signal,
      mailer: {
        send: async (mail) => void mails.push(mail),
        reachable: async () => true,
        close: async () => undefined,
      },
    },
    environment,
  );
  const fire = async (): Promise<void> => {
    const waiting: string[] = [];
    for (;;) {
      const [due] = await ledger.owner<{ stream: string; name: string; due_at: Date }[]>`
        select stream, name, due_at from ledger.due_timer
         where fired_at is null and due_at <= ${new Date(ms)}
           and stream || name <> all (${waiting}::text[])
         order by due_at limit 1`;
      if (due === undefined) return;
      const context = { now: instantFromMs(ms), cause: testCause() };
      if ((await handlers[due.name]?.(idOf(due.stream), context)) === "not-yet") {
        waiting.push(due.stream + due.name);
        continue;
      }
      await ledger.owner`
        update ledger.due_timer set fired_at = now()
         where stream = ${due.stream} and name = ${due.name} and due_at = ${due.due_at}`;
    }
  };
  return {
    ledger,
    app,
    payments,
    mails,
    now: clock,
    advance: async (days) => {
      for (let day = 0; day < days; day += 1) {
        ms += dayMs;
        await fire();
      }
    },
    holder: (roles = ["holder"]) => {
      const [accountId, token] = [randomUUID(), randomUUID()];
      const session = { accountId, sessionId: randomUUID(), roles, factor: true };
      const authorization = `Bearer ${token}`;
      const signIn = () => tokens.set(token, { ...session, authenticatedMs: ms });
      return {
        accountId,
        get: async (url) => {
          signIn();
          return await app.inject({ method: "GET", url, headers: { authorization } });
        },
        post: async (url, payload = {}, key = randomUUID()) => {
          signIn();
          const headers = { authorization, "idempotency-key": key };
          return await app.inject({ method: "POST", url, headers, payload });
        },
      };
    },
    close: async () => {
      await app.close();
      await ledger.drop();
    },
  };
}
