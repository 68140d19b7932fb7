import { randomUUID } from "node:crypto";

import { connectMailer } from "@pro-talent/platform/mail/mailer";
import { startScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { Chart } from "@pro-talent/schemas/analysts/saved-work";
import { deliveryCalls, savedWorkCalls } from "@pro-talent/schemas/analysts/work-calls";
import type { Role, SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { LightMyRequestResponse } from "fastify";

import { buildLedgerApp } from "../../../app.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { deliverMessage } from "../../../kernel/outbox.ts";
import { sweepTimers } from "../../../kernel/timers.ts";
import { createTestLedger, internalToken } from "../../../testing/create-test-ledger.ts";
import type { WithheldResults } from "../deliveries/withheld.ts";
import { analystWorkModule } from "../module.ts";

const log = createLogger({ service: "test", level: "silent" });
const base = "/api/console/analyst/work";
const chart: Chart = { kind: "bar", x: "channel", y: ["visitors"] };
export const queryOf = (text: string) => ({ kind: "query" as const, text, parameters: [], chart });

const savedAnswer = savedWorkCalls[`POST ${base}/saved`].answer;
const deliveryAnswer = deliveryCalls[`POST ${base}/deliveries`].answer;

/** Saved work over a ledger of its own, with a clock that tests move; the insights service answers what they state. */
export async function openWorkService() {
  const [ledger, smtp] = await Promise.all([createTestLedger({ max: 16 }), startScriptedSmtp()]);
  const from = { name: "Pro Talent", address: "hello@talent.example" };
  const mailer = connectMailer({ smtpUrl: smtp.url, from });
  let aheadMs = 0;
  const clock = (): number => Date.now() + aheadMs;
  const known = new Map<string, { language: Locale; roles: readonly Role[] }>();
  const tokens = new Map<string, SignedIn>();
  /** Texts that were run for deliveries, and what is answered. */
  const insights = { ran: [] as string[], rows: [["search", 20] as (string | number)[]] };
  const withheld: WithheldResults = {
    check: async ({ text }) =>
      text.includes("visitor_id")
        ? null
        : { pointer: "/text", message: "It must count its visitors." },
    run: async ({ queryId, tile }) => {
      if (tile.kind === "question") {
        insights.ran.push(tile.question);
        const size = { visitors: 40, amount: 60 };
        const groups = [{ name: "search", ...size }];
        const answer = { kind: "groups", groups, others: null, total: size } as const;
        return { kind: "question", question: tile.question, chart: tile.chart, answer };
      }
      insights.ran.push(tile.content.text);
      const columns = ["channel", "visitors"].map((name) => ({ name, type: "String" }));
      const statistics = { rowsRead: 1, bytesRead: 1, milliseconds: 1 };
      const result = { queryId, columns, rows: insights.rows, statistics, isWithheld: true };
      return { kind: "query", title: tile.title, chart, result };
    },
  };
  const module = analystWorkModule({
    withheld,
    rolesOf: async (accountId) => known.get(accountId)?.roles ?? [],
    contactOf: async (accountId) => {
      const own = known.get(accountId);
      const email = `${accountId}@example.com`;
      return own && { ...own, email, fullName: "Noa Levi", address: "", timeZone: "UTC" };
    },
  });
  const app = await buildLedgerApp({
    ...ledger,
    clock,
    log,
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
  const worker: WorkerContext = {
    ...ledger,
    clock,
    mailer,
    stopping: new AbortController().signal,
  };
  const sweep = () => sweepTimers({ sql: ledger.sql, handlers: module.timers(worker, {}), log });

  /** A signed-in account. */
  function account(roles: readonly Role[] = ["holder", "analyst"], language: Locale = "en") {
    const [accountId, token] = [randomUUID(), randomUUID()];
    known.set(accountId, { language, roles });
    const session = { accountId, sessionId: randomUUID(), roles, factor: true };
    tokens.set(token, { ...session, authenticatedMs: clock() });
    type Method = "GET" | "POST" | "PUT" | "DELETE";
    const send = (
      method: Method,
      path: string,
      payload?: object,
      key: string = randomUUID(),
    ): Promise<LightMyRequestResponse> =>
      app.inject({
        method,
        url: `${base}/${path}`,
        headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
        ...(payload && { payload }),
      });
    return {
      accountId,
      email: `${accountId}@example.com`,
      send,
      code: async (...call: Parameters<typeof send>) =>
        (await send(...call)).json<{ code?: string }>().code,
      lose: () => void known.set(accountId, { language, roles: ["holder"] }),
      save: async (title: string, content: object) =>
        savedAnswer.parse((await send("POST", "saved", { title, content })).json()).saved,
      deliver: async (of: { kind: string; workId: string }) => {
        const schedule = { every: "day", time: "09:00", zone: "Asia/Jerusalem" };
        const { kind, workId } = of;
        const plan = { of: { kind, workId }, schedule, lastDays: 7 };
        return deliveryAnswer.parse((await send("POST", "deliveries", plan)).json()).delivery;
      },
      mails: () =>
        smtp
          .accepted()
          .flatMap(({ to, read }) => (to === `${accountId}@example.com` ? [read()] : [])),
    };
  }

  return {
    ledger,
    app,
    smtp,
    module,
    worker,
    insights,
    internalToken,
    account,
    now: () => instantFromMs(clock()),
    /** The clocks of service and database show a time so far ahead of that of the machine. */
    setAhead: async (ms: number) => {
      aheadMs = ms;
      await ledger.owner`
        insert into ledger.test_clock (ahead) values (interval '1 ms' * ${ms})
        on conflict (one) do update set ahead = excluded.ahead`;
    },
    sweep,
    /** Does what is due, and delivers what is in the outbox, as a worker does. */
    sweepAndDeliver: async () => {
      await sweep();
      const messages = await ledger.sql<{ id: number }[]>`
        select id from ledger.outbox where done_at is null and given_up_at is null order by id`;
      const handlers = module.messages(worker, {});
      for (const { id } of messages) await deliverMessage(ledger.sql, handlers, id);
    },
    close: async () => {
      await app.close();
      await Promise.all([mailer.close(), ledger.drop()]);
      await smtp.stop();
    },
  };
}
