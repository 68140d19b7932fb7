import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDirectoryStore } from "@pro-talent/platform/files/file-store";
import { type Mail, MailRefused } from "@pro-talent/platform/mail/mailer";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { Role, SignedIn } from "@pro-talent/schemas/primitives/access";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { OwnRequest } from "@pro-talent/schemas/privacy/calls";
import type { Correctable } from "@pro-talent/schemas/privacy/correction";
import { ReviewedRequest } from "@pro-talent/schemas/privacy/officer-calls";
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import { z } from "zod";

import { buildLedgerApp } from "../../../app.ts";
import { runCommand } from "../../../kernel/commands.ts";
import type { DomainModule, WorkerContext } from "../../../kernel/module.ts";
import {
  createTestLedger,
  testCause,
  type TestDatabase,
} from "../../../testing/create-test-ledger.ts";
import type { Profiles } from "../fulfil/correct.ts";
import { privacyModule, type PrivacyParts } from "../module.ts";
import { privacyRequests } from "../requests.ts";
import * as facts from "./facts.ts";

export const dayMs = 24 * 60 * 60_000;

type OfficerOptions = { readonly accountId?: string; readonly language?: Locale };
type Method = "GET" | "POST";
type Sent = { readonly payload?: object; readonly key?: string };

/** The privacy domain over real Postgres: its calls, its work, and people who use them. */
export async function openPrivacy(
  changed: Partial<PrivacyParts> = {},
  environment: Readonly<Record<string, string>> = {},
  /** Domains beside it, with their calls and processes. */
  others: readonly DomainModule[] = [],
  database?: TestDatabase,
) {
  const ledger = await createTestLedger({ database });
  const directory = await mkdtemp(join(tmpdir(), "privacy-"));
  const files = openDirectoryStore(directory);
  const time = { ms: Date.UTC(2026, 2, 1, 9) };
  const clock = (): number => time.ms;
  const tokens = new Map<string, SignedIn>();
  const mails: Mail[] = [];
  const languages = new Map<string, Locale>();
  const officers: string[] = [];
  const refused = new Set<string>();
  const { profiles, values } = profilesInMemory();
  const contactOf = async (accountId: string) => ({
    email: `${accountId}@example.com`,
    fullName: "Dana Levi",
    address: "",
    language: languages.get(accountId) ?? "en",
    timeZone: "Asia/Jerusalem",
  });
  const module = privacyModule({
    erasers: [],
    closeAccount: async () => undefined,
    contactOf,
    officersOf: async () => officers,
    files,
    profiles,
    accountHeld: async () => [],
    accountOf: async () => null,
    accountFiles: async function* none() {},
    ...changed,
  });
  const openApp = (readsPerMinute: number) =>
    buildLedgerApp({
      ...ledger,
      clock,
      log: createLogger({ service: "test", level: "silent" }),
      keys: ledger.testKeys.keys,
      formsPerMinute: 10_000,
      readsPerMinute,
      environment,
      modules: [module, ...others],
      sessions: {
        ofToken: async (token) => tokens.get(token),
        ofTicket: async () => undefined,
        ofAccessToken: async () => undefined,
      },
    });
  const app = await openApp(10_000);
  const worker: WorkerContext = {
    ...ledger,
    clock,
    stopping: new AbortController().signal,
    mailer: {
      send: async (mail: Mail) => {
        if (refused.has(mail.to.address)) throw new MailRefused();
        mails.push(mail);
      },
      reachable: async () => true,
      close: async () => undefined,
    },
  };

  function signIn(accountId: string, roles: [Role, ...Role[]], signedInMs: number) {
    const token = randomUUID();
    return async (
      method: Method,
      url: string,
      { payload, key = randomUUID() }: Sent = {},
    ): Promise<LightMyRequestResponse> => {
      const authenticatedMs = time.ms - signedInMs;
      const session = { accountId, sessionId: randomUUID(), roles, factor: true, authenticatedMs };
      tokens.set(token, session);
      const headers = { authorization: `Bearer ${token}`, "idempotency-key": key };
      return await app.inject({ method, url, headers, ...(payload && { payload }) });
    };
  }

  return {
    app,
    /** Another process of the service, in which one address may read so often in a minute. */
    openApp,
    directory,
    files,
    ledger,
    module,
    mails,
    /** This address accepts no mail from now on. */
    refuse: (address: string) => void refused.add(address),
    time,
    values,
    worker,
    /** What an officer or the worker records meanwhile. */
    async record(id: string, fact: Parameters<typeof facts.records>[0]): Promise<void> {
      const why = { now: instantFromMs(time.ms), cause: testCause() };
      const command = facts.records(fact);
      const issued = { ...why, id, command, body: command };
      const result = await runCommand(ledger.ledger, privacyRequests, issued);
      expect(result).toMatchObject({ kind: "answer" });
    },
    /** Does everything that is due by the clock of the test, as the worker does. */
    async work(requestId: string): Promise<void> {
      const handlers = {
        ...module.timers(worker, environment),
        ...module.slowTimers(worker, environment),
      };
      const fired = new Set<string>();
      for (;;) {
        const [due] = (await timersOf(ledger.owner, requestId)).filter(
          ({ name, at, pos }) => at <= time.ms && !fired.has(`${name} ${pos}`),
        );
        if (due === undefined) return;
        fired.add(`${due.name} ${due.pos}`);
        const why = { now: instantFromMs(time.ms), cause: testCause() };
        await handlers[due.name]?.(requestId, why);
      }
    },
    /** What its worker repeats, whatever is due. */
    repeats: () => module.repeats(worker, environment),
    /** Sends the mails that were asked for, as the worker does; each once. */
    async sendMails(): Promise<void> {
      const handlers = module.messages(worker, {});
      const rows = await ledger.owner<{ id: number; name: string; payload: unknown }[]>`
        delete from ledger.outbox returning id, name, payload`;
      for (const { name, payload } of rows.toSorted((a, b) => a.id - b.id))
        await handlers[name]?.(payload, testCause());
    },
    /** A signed-in person; `signedInMs` ago they gave their password. */
    person({ signedInMs = 0, language = "en" }: { signedInMs?: number; language?: Locale } = {}) {
      const accountId = randomUUID();
      languages.set(accountId, language);
      values.set(accountId, { fullName: "Dana Levi", phone: "", address: "", language });
      const call = signIn(accountId, ["holder"], signedInMs);
      const send = (method: Method, path: string, payload?: object, key?: string) =>
        call(method, `/api/privacy/requests${path}`, {
          ...(payload && { payload }),
          ...(key !== undefined && { key }),
        });
      const email = `${accountId}@example.com`;
      return {
        accountId,
        call,
        email,
        send,
        askForDeletion: async (key = randomUUID()) =>
          await send("POST", "/delete", { email, reason: "I found a job" }, key),
        requests: async () =>
          z.object({ requests: z.array(OwnRequest) }).parse((await send("GET", "")).json())
            .requests,
      };
    },
    /** The account is that of an officer no more. */
    dismiss: (accountId: string) => void officers.splice(officers.indexOf(accountId), 1),
    /** An account with these roles alone. */
    staff: (has: [Role, ...Role[]]) => ({ call: signIn(randomUUID(), has, 0) }),
    /** An officer, who decides on the newest state unless another version is given. */
    officer({ accountId = randomUUID(), language = "en" }: OfficerOptions = {}) {
      officers.push(accountId);
      languages.set(accountId, language);
      const call = signIn(accountId, ["holder", "officer"], 0);
      const base = "/api/console/privacy/requests";
      const read = async (id: string) => reviewIn(await call("GET", `${base}/${id}`));
      const decide = async (id: string, act: string, body: object = {}) => {
        const { version } = await read(id);
        return await call("POST", `${base}/${id}/${act}`, { payload: { version, ...body } });
      };
      return {
        accountId,
        call,
        read,
        decide,
        /** A decision that is accepted, and the request after it. */
        decided: async (...decision: Parameters<typeof decide>) => {
          expect((await decide(...decision)).statusCode).toBe(200);
          return await read(decision[0]);
        },
        queue: async (query = "") => {
          const answer = await call("GET", `${base}${query}`);
          return privacyQueue.parse(answer.json());
        },
      };
    },
    async close(): Promise<void> {
      await app.close();
      await ledger.drop();
      await rm(directory, { recursive: true });
    },
  };
}

const privacyQueue = z.object({
  requests: z.array(z.looseObject({ requestId: z.string() })),
  open: z.int(),
  overdue: z.int(),
});

export const requestIn = (answer: LightMyRequestResponse): OwnRequest =>
  z.object({ request: OwnRequest }).parse(answer.json()).request;
export const reviewIn = (answer: LightMyRequestResponse): ReviewedRequest =>
  z.object({ request: ReviewedRequest }).parse(answer.json()).request;
export const problemOf = (answer: LightMyRequestResponse) =>
  z.object({ status: z.number(), code: z.string() }).parse(answer.json());

type Owner = Awaited<ReturnType<typeof createTestLedger>>["owner"];

/** The timers of a request that have not fired. */
export async function timersOf(owner: Owner, requestId: string) {
  const rows = await owner<{ name: string; due: Date; pos: number }[]>`
    select name, due_at as due, pos::int from ledger.due_timer
     where stream = ${`privacy-${requestId}`} and fired_at is null order by due_at, name`;
  return rows.map(({ name, due, pos }) => ({ name, at: due.getTime(), pos }));
}

/** Profiles as the accounts service keeps them. */
function profilesInMemory() {
  const values = new Map<string, Correctable>();
  const known = (accountId: string): Correctable => {
    const found = values.get(accountId);
    if (found === undefined) throw new Error("The account is gone");
    return found;
  };
  const profiles: Profiles = {
    correctableOf: async (accountId) => known(accountId),
    correct: async (accountId, { held, asked }) => {
      const now = known(accountId);
      const current = { ...now, ...held };
      const isAsked = JSON.stringify({ ...now, ...asked }) === JSON.stringify(now);
      if (JSON.stringify(current) !== JSON.stringify(now) && !isAsked)
        return { status: "outdated", now };
      values.set(accountId, { ...now, ...asked });
      return { status: "corrected", now: known(accountId) };
    },
  };
  return { profiles, values };
}

export const instantAfter = (ms: number, days: number): Instant => instantFromMs(ms + days * dayMs);
