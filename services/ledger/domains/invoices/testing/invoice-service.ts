import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { internalAccountCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { BillingEvent } from "@pro-talent/schemas/billing/events";
import type { ChargeTerms } from "@pro-talent/schemas/billing/prices";
import { invoiceCalls } from "@pro-talent/schemas/invoices/calls";
import type { Role, SignedIn } from "@pro-talent/schemas/primitives/access";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";

import type { Contact } from "../../../contacts.ts";
import { append } from "../../../kernel/append.ts";
import { defineEvents, idOf } from "../../../kernel/events.ts";
import { catchUp } from "../../../kernel/follow.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { followerOfProcess } from "../../../kernel/processes.ts";
import { modules } from "../../../modules.ts";
import { buildTestApp } from "../../../testing/build-test-app.ts";
import {
  createTestLedger,
  internalToken,
  testCause,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { followPayments } from "../invoices.ts";
import { invoiceTimerHandlers } from "../timers.ts";
import { monthTerms, settingsOf } from "./bookkeeping.ts";

const billing = defineEvents("billing", BillingEvent);
const log = createLogger({ service: "test", level: "silent" });

/** The accounts service, as far as documents need it. */
async function startAccounts() {
  const contacts = new Map<string, Contact>();
  const state = { up: true };
  const server = buildServer({ log, publicOrigin: undefined, internalToken });
  addCalls(server, internalAccountCalls, {
    "POST /internal/accounts/invitations": async () => {
      throw new Error("not asked for");
    },
    "GET /internal/accounts/:accountId/contact": async ({ params }) => {
      if (!state.up) throw new Error("the accounts service is down");
      const contact = contacts.get(params.accountId);
      if (contact === undefined) throw new ProblemError("not_found");
      return contact;
    },
  });
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  return { contacts, state, server, url };
}

/** Documents over a ledger of its own, the events of billing, and an accounts service. */
export async function openInvoiceService() {
  const accounts = await startAccounts();
  const made = await createTestLedger({ max: 12 });
  const ledger: TestLedger = { ...made, accounts: { url: accounts.url, internalToken } };
  const sessions = new Map<string, SignedIn>();
  const app = await buildTestApp(ledger, {
    sessions: {
      ofToken: async (token) => sessions.get(token),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
  });
  const mails: Mail[] = [];
  const mailServer = { send: async (mail: Mail): Promise<void> => void mails.push(mail) };
  const context: WorkerContext = {
    ...ledger,
    stopping: new AbortController().signal,
    mailer: {
      send: (mail) => mailServer.send(mail),
      reachable: async () => true,
      close: async () => undefined,
    },
  };
  const families = modules.flatMap(({ events }) => events);
  const handlers = invoiceTimerHandlers(context, settingsOf());
  return {
    ledger,
    accounts,
    mails,
    mailServer,
    context,
    /** Records events of billing, and lets the process see them. */
    bill: async (account: string, ...events: readonly BillingEvent[]) => {
      await record(ledger, account, events);
      await catchUp(followerOfProcess(followPayments, { ledger: ledger.ledger, families }));
    },
    /** Fires the timers of documents that are due at a time, as many workers as asked for at once. */
    work: async (until: Instant = instantFromMs(Date.now() + 60_000)): Promise<void> => {
      for (;;) {
        const due = await ledger.owner<{ stream: string; name: string; due_at: string }[]>`
          select stream, name, due_at::text as due_at from ledger.due_timer
           where fired_at is null and due_at <= ${until} and name like 'invoices.%' order by due_at`;
        if (due.length === 0) return;
        for (const { stream, name, due_at: dueAt } of due) {
          await handlers[name]?.(idOf(stream), { now: until, cause: testCause(`timer:${name}`) });
          await ledger.owner`update ledger.due_timer set fired_at = now()
            where stream = ${stream} and name = ${name} and due_at = ${dueAt}::timestamptz`;
        }
      }
    },
    holder: (language: Contact["language"] = "en", roles: readonly Role[] = ["holder"]) =>
      signIn(app, { accounts, sessions, language, roles }),
    close: async (): Promise<void> => {
      await app.close();
      await accounts.server.close();
      await made.drop();
    },
  };
}
export type InvoiceService = Awaited<ReturnType<typeof openInvoiceService>>;

async function record(
  { ledger }: TestLedger,
  account: string,
  events: readonly BillingEvent[],
): Promise<void> {
  const result = await append(ledger, {
    family: billing,
    stream: billing.streamOf(account),
    expected: "any",
    events,
    commandId: randomUUID(),
    bodyHash: Buffer.alloc(32),
    reply: "{}",
    cause: testCause("operator"),
    occurredAt: instantFromMs(Date.now()),
  });
  if (result.status !== "appended") throw new Error(`Nothing is recorded: ${result.status}`);
}

type SignIn = {
  readonly accounts: Awaited<ReturnType<typeof startAccounts>>;
  readonly sessions: Map<string, SignedIn>;
  readonly language: Contact["language"];
  readonly roles: readonly Role[];
};

/** An account holder with a browser. */
function signIn(app: FastifyInstance, { accounts, sessions, language, roles }: SignIn) {
  const [accountId, token] = [randomUUID(), randomUUID()];
  const authenticatedMs = Date.now();
  const session = { accountId, sessionId: randomUUID(), roles, factor: true, authenticatedMs };
  sessions.set(token, session);
  accounts.contacts.set(accountId, {
    email: `${accountId}@example.com`,
    fullName: language === "he" ? "נועה לוי" : "Noa Levi",
    address: "5 Herzl Street\nHaifa",
    language,
    timeZone: "Asia/Jerusalem",
  });
  const headers = { authorization: `Bearer ${token}` };
  const get = (url: string): Promise<LightMyRequestResponse> =>
    app.inject({ method: "GET", url, headers });
  const list = invoiceCalls["GET /api/invoices"].answer;
  return {
    accountId,
    get,
    /** The documents of the account, the newest first. */
    documents: async () => list.parse((await get("/api/invoices")).json()).documents,
  };
}

/** A charge of this amount that is intended and succeeds. */
export function paidCharge(terms: ChargeTerms = monthTerms(1000)) {
  const id = randomUUID();
  const [line] = terms.lines;
  if (line === undefined) throw new Error("A charge has lines");
  const price = { plan: line.plan, cycle: line.cycle, amount: terms.total, currency: "USD" };
  const anchor = line.from;
  const events = [
    {
      type: "ChargeIntended",
      data: {
        charge: id,
        purpose: "renewal",
        price: { ...price, version: "2026-01" },
        place: { anchor, months: 0, cycle: line.cycle },
        terms,
        cover: { amount: terms.total, from: line.from, to: line.to },
      },
    },
    { type: "ChargeSucceeded", data: { charge: id, payment: "pay_1" } },
  ].map((event) => BillingEvent.parse(event));
  return { id, events };
}

/** A refund of a charge that is intended and settled. */
export function settledRefund(charge: string, amount: number, number = 1): BillingEvent[] {
  const refund = `${charge}.${number}`;
  return [
    { type: "RefundIntended", data: { refund, charge, amount, reason: "withdrawal" } },
    { type: "RefundSettled", data: { refund } },
  ];
}
