import type { ServiceAddress } from "@pro-talent/platform/http/service-client";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import {
  bouncesPath,
  newsletterPaths,
  type SourceContext,
  subscribePath,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import type { FastifyInstance } from "fastify";

import { idOf } from "../../../kernel/events.ts";
import { joinHandlers, type WorkerContext } from "../../../kernel/module.ts";
import { deliverMessage } from "../../../kernel/outbox.ts";
import { sweepTimers } from "../../../kernel/timers.ts";
import { modules } from "../../../modules.ts";
import { buildTestApp, internalToken } from "../../../testing/build-test-app.ts";
import { createTestLedger, type TestLedger } from "../../../testing/create-test-ledger.ts";
import { ledgerConnectionsMin } from "../../../worker-app.ts";

/** A subscriber, and the address that the mails go to. */
export type Signup = { readonly subscriberId: string; readonly email: string };

/** The newsletter as visitors, mail provider and worker use it, over a ledger of its own. */
export type Signups = {
  readonly ledger: TestLedger;
  /** Moves the clock of the service; the database has its own. */
  readonly moveClock: (ms: number) => void;
  /** Sends the form of a page; the confirmation mail is delivered. */
  readonly sendForm: (page: SourceContext, email?: string) => Promise<Signup>;
  /** Follows the link of the newest mail: to confirm (the welcome mail is delivered), or to leave. */
  readonly follow: (link: "confirm" | "unsubscribe", signup: Signup) => Promise<void>;
  /** Reports a bounce or a complaint, as the mail provider does. */
  readonly report: (kind: "hard" | "soft" | "complaint", signup: Signup) => Promise<void>;
  /** Fires the timers that are due by the database's clock. @returns how many */
  readonly fireTimers: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** @param accounts where the accounts service answers, for tests that need it */
export async function openSignups(accounts?: ServiceAddress): Promise<Signups> {
  const made = await createTestLedger({ max: ledgerConnectionsMin });
  const ledger = accounts === undefined ? made : { ...made, accounts };
  let movedMs = 0;
  const app = await buildTestApp(ledger, { clock: () => Date.now() + movedMs });
  const mails = new Map<string, string>();
  const context: WorkerContext = {
    ...ledger,
    stopping: new AbortController().signal,
    mailer: {
      send: async ({ to, text }) => void mails.set(to.address, text),
      reachable: async () => true,
      close: async () => undefined,
    },
  };
  const post = async (url: string, payload: object): Promise<void> => {
    await postJson(app, url, payload);
    await deliverMails(context);
  };
  return {
    ledger,
    moveClock: (ms) => {
      movedMs += ms;
    },
    sendForm: async (page, email = `${crypto.randomUUID()}@example.com`) => {
      const form = { language: "en", sourceContext: page, consentText: "I agree." };
      await post(subscribePath, { email, ...form, ...subscriptionDefaults[page] });
      return { email, subscriberId: await newestSubscriber(ledger) };
    },
    follow: async (link, { email }) => {
      const [, token] = /token=([\w-]+)/.exec(mails.get(email) ?? "") ?? [];
      await post(newsletterPaths[link], { token });
    },
    report: (kind, { subscriberId }) => post(bouncesPath, { subscriberId, kind }),
    fireTimers: () => {
      const timers = modules.map((module) => module.timers(context, {}));
      const log = createLogger({ service: "test", level: "silent" });
      return sweepTimers({ sql: ledger.sql, handlers: joinHandlers("timer", timers), log });
    },
    close: async () => {
      await app.close();
      await ledger.drop();
    },
  };
}

async function postJson(app: FastifyInstance, url: string, payload: object): Promise<void> {
  const headers = { authorization: `Bearer ${internalToken}` };
  const answer = await app.inject({ method: "POST", url, headers, payload });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.body}`);
}

async function deliverMails(context: WorkerContext): Promise<void> {
  const { sql } = context.ledger;
  const handlers = joinHandlers(
    "message",
    modules.map((module) => module.messages(context, {})),
  );
  const waiting = await sql<{ id: number }[]>`
    select id from ledger.outbox where done_at is null order by id`;
  for (const { id } of waiting) await deliverMessage(sql, handlers, id);
}

async function newestSubscriber({ sql }: TestLedger): Promise<string> {
  const [row] = await sql<{ stream: string }[]>`
    select stream from ledger.event where stream like 'newsletter-%' order by pos desc limit 1`;
  return idOf(row?.stream ?? "");
}
