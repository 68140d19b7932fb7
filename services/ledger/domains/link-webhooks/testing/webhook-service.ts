import { randomUUID } from "node:crypto";

import { type Receiver, startReceiver } from "@pro-talent/platform/http/testing/start-receiver";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { linkWebhookCalls, type WebhookView } from "@pro-talent/schemas/links/webhook-calls";
import { type FirstOpen, WebhookMessage } from "@pro-talent/schemas/links/webhook-events";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";

import { buildLedgerApp } from "../../../app.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { joinHandlers } from "../../../kernel/module.ts";
import { sweepTimers } from "../../../kernel/timers.ts";
import { createTestLedger, type TestLedger } from "../../../testing/create-test-ledger.ts";
import { linkWebhooksModule } from "../module.ts";

const Listed = linkWebhookCalls["GET /api/link-webhooks"].answer;
const Added = linkWebhookCalls["POST /api/link-webhooks"].answer;

/** An account holder in a browser. */
export type Owner = {
  readonly accountId: string;
  readonly send: (
    method: "GET" | "POST" | "DELETE",
    path: string,
    options?: { payload?: object; key?: string; stale?: boolean },
  ) => Promise<LightMyRequestResponse>;
  readonly list: () => Promise<readonly WebhookView[]>;
  /** Adds a webhook that leads to the receiver. */
  readonly add: () => Promise<{ readonly webhookId: string; readonly secret: string }>;
  /** A link of the owner's is opened for the first time. @returns what is known of it */
  readonly opens: (about?: Partial<FirstOpen>) => FirstOpen;
};

export type WebhookService = {
  readonly ledger: TestLedger;
  readonly app: FastifyInstance;
  readonly receiver: Receiver;
  readonly owner: (plan?: "premium" | "free") => Promise<Owner>;
  readonly now: () => Instant;
  readonly moveClock: (ms: number) => Promise<void>;
  /** Looks for first opens, as the worker does again and again. */
  readonly look: () => Promise<void>;
  /** What a look asked of the insights service: the accounts with opens, or the opens of an account. */
  readonly asked: string[];
  /** Fires what is due. @returns how many timers; one that fails is not among them */
  readonly deliver: (context?: Partial<WorkerContext>) => Promise<number>;
  readonly close: () => Promise<void>;
};

const log = createLogger({ service: "test", level: "silent" });

/** Webhooks over a ledger of their own, a receiver on loopback, and a clock that tests move. */
export async function openWebhookService(): Promise<WebhookService> {
  const [ledger, receiver] = await Promise.all([createTestLedger(), startReceiver()]);
  let aheadMs = 0;
  const clock = (): number => Date.now() + aheadMs;
  const now = (): Instant => instantFromMs(clock());
  const opened = new Map<string, FirstOpen[]>();
  const asked: string[] = [];
  const module = linkWebhooksModule({
    emailOf: async (accountId) => `${accountId}@example.com`,
    opens: {
      openedAccounts: async (from) => {
        asked.push("opened accounts");
        const found = [...opened].filter(([, opens]) => opens.some(({ at }) => at >= from));
        return new Set(found.map(([accountId]) => accountId));
      },
      firstOpens: async (accountId, since) => {
        asked.push(accountId);
        return (opened.get(accountId) ?? []).filter(({ at }) => at >= since);
      },
    },
    outside: receiver.outside,
  });
  const sessions = new Map<string, SignedIn>();
  const app = await buildLedgerApp({
    ...ledger,
    clock,
    log,
    keys: ledger.testKeys.keys,
    modules: [module],
    environment: {},
    formsPerMinute: 10_000,
    readsPerMinute: 10_000,
    sessions: {
      ofToken: async (token) => sessions.get(token),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
  });
  const mailer = {
    send: async () => undefined,
    reachable: async () => true,
    close: async () => undefined,
  };
  const worker: WorkerContext = {
    ...ledger,
    clock,
    mailer,
    stopping: new AbortController().signal,
  };
  const repeats = module.repeats(worker, {});
  return {
    ledger,
    app,
    receiver,
    now,
    owner: async (plan = "premium") => {
      const [accountId, token] = [randomUUID(), randomUUID()];
      if (plan !== "free") {
        await ledger.owner`
          insert into ledger.billing_entitlement (account_id, plan, pos) values (${accountId}, ${plan}, 0)`;
      }
      const send: Owner["send"] = async (method, path, options = {}) => {
        const authenticatedMs = options.stale === true ? 0 : clock();
        const session = { accountId, sessionId: randomUUID(), factor: true, authenticatedMs };
        sessions.set(token, { ...session, roles: ["holder"] });
        const { payload, key = randomUUID() } = options;
        const headers = { authorization: `Bearer ${token}`, "idempotency-key": key };
        const url = `/api/link-webhooks${path}`;
        return await app.inject({ method, url, headers, ...(payload && { payload }) });
      };
      return {
        accountId,
        send,
        list: async () => Listed.parse((await send("GET", "")).json()).webhooks,
        add: async () => {
          const payload = { url: `https://${receiver.name}/hook` };
          const answer = await send("POST", "", { payload });
          if (answer.statusCode !== 201) throw new Error(answer.body);
          const { webhook, secret } = Added.parse(answer.json());
          return { webhookId: webhook.webhookId, secret };
        },
        opens: (about = {}) => {
          const open = {
            linkId: randomUUID(),
            at: now(),
            country: "IL",
            device: "mobile",
          } as const;
          const known = { ...open, ...about };
          opened.set(accountId, [...(opened.get(accountId) ?? []), known]);
          return known;
        },
      };
    },
    moveClock: async (ms) => {
      aheadMs += ms;
      await ledger.owner`
        insert into ledger.test_clock (ahead) values (${aheadMs} * interval '1 millisecond')
        on conflict (one) do update set ahead = excluded.ahead`;
    },
    look: async () => {
      for (const { run } of repeats) await run();
    },
    asked,
    deliver: async (context = {}) => {
      const changed = { ...worker, ...context };
      const handlers = joinHandlers("timer", [
        module.timers(changed, {}),
        module.slowTimers(changed, {}),
      ]);
      return await sweepTimers({ sql: ledger.sql, handlers, log, atOnce: 4 });
    },
    close: async () => {
      await app.close();
      await Promise.all([receiver.close(), ledger.drop()]);
    },
  };
}

/** What the receiver got; each signature is compared with that of a library that receivers use. */
export function messagesFor(service: WebhookService, secret: string) {
  return service.receiver.received.map(({ headers, body }) => {
    const [id, time] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
    const expected = new Webhook(secret).sign(id, new Date(Number(time) * 1000), body);
    expect(String(headers["webhook-signature"]).split(" ")).toContain(expected);
    return { id, time: Number(time), message: WebhookMessage.parse(JSON.parse(body)) };
  });
}

/** The deliveries of an owner's first webhook. */
export async function deliveriesOf(owner: Owner) {
  const [webhook] = await owner.list();
  return webhook?.deliveries ?? [];
}
