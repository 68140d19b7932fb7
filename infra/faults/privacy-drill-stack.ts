import { randomBytes, randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { insertAccount } from "@pro-talent/accounts/accounts";
import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { openAccountKeys } from "@pro-talent/accounts/keys";
import { openSession } from "@pro-talent/accounts/sessions";
import { startScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import { copyReviewCalls } from "@pro-talent/schemas/privacy/copy-review-calls";
import { z } from "zod";

import { OWNER_ROLE } from "../postgres/roles.ts";
import { type DrillContext, migrate, processUnderDrill, startDatabase } from "./drill-services.ts";
import { stoppableClickhouse } from "./drill-stack.ts";

/** Everything that a privacy request goes through, as processes of its own, to be disturbed. */
export type PrivacyDrillStack = Awaited<ReturnType<typeof startPrivacyDrillStack>>;

const skewedClock = fileURLToPath(new URL("skewed-clock.ts", import.meta.url));

/** For a process whose machine's clock is wrong by so many days. */
export const wrongBy = (days: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(skewedClock).href}`,
  DRILL_CLOCK_SKEW_MS: String(days * 24 * 60 * 60_000),
});

/** Starts everything in `directory`, which must be empty, but the workers. */
export async function startPrivacyDrillStack(directory: string) {
  const database = await startDatabase(directory);
  const { context } = database;
  const clickhouse = await stoppableClickhouse(join(directory, "clickhouse"));
  const store = { CLICKHOUSE_URL: clickhouse.url };
  await migrate(context, "ledger");
  await migrate(context, "accounts");
  await migrate(context, "studio");
  await migrate(context, "collector", clickhouse.url);
  const smtp = await startScriptedSmtp();
  const clockFile = join(directory, "clock.json");
  const clock = { TEST_CLOCK_FILE: clockFile };
  const others = await startOthers(context, store, { directory, clock });
  const environment = {
    ...clock,
    ACCOUNTS_URL: others.accounts.url,
    COLLECTOR_URL: others.collector.url,
    INSIGHTS_URL: others.insights.url,
    STUDIO_URL: others.studio.url,
    SMTP_URL: smtp.url,
    FILES_URL: pathToFileURL(join(directory, "files")).href,
    ERASURE_JOURNAL_FILE: join(directory, "erasure-journal.jsonl"),
    ERASURE_JOURNAL_KEY: randomBytes(32).toString("hex"),
    TIMERS_SWEEP_MS: "150",
    FORMS_PER_MINUTE: "100000",
    READS_PER_MINUTE: "100000",
  };
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 3, applicationName: "drill" });
  const admin = openPool(database.adminUrl.replace(/\/postgres$/u, "/pro_talent"), {
    max: 1,
    applicationName: "drill-admin",
  });
  const keys = await openAccountKeys(owner, readKeySettings(context.keys), Date.now());
  const ledger = (extra: Record<string, string> = {}, instance = "ledger") =>
    processUnderDrill(context, "ledger", { instance, environment: { ...environment, ...extra } });
  return {
    context,
    directory,
    environment,
    owner,
    admin,
    clickhouse,
    time: timeOf(owner, clockFile),
    ledger,
    people: peopleOf(owner, keys),
    worker: (instance: string, extra: Record<string, string> = {}) =>
      processUnderDrill(context, "ledger-worker", {
        instance,
        environment: { ...environment, ...extra },
      }),
    stop: async (): Promise<void> => {
      await others.stop();
      await clickhouse.stop();
      await Promise.all([owner.end(), admin.end(), smtp.stop()]);
      await database.stop();
    },
  };
}

/** What the ledger asks: accounts, the collector, what erases rows in ClickHouse, and what counts opens. */
async function startOthers(
  context: DrillContext,
  secrets: Readonly<Record<string, string>>,
  { directory, clock }: { readonly directory: string; readonly clock: Record<string, string> },
) {
  const accounts = await processUnderDrill(context, "accounts", {
    environment: { ...secrets, ...clock },
  });
  await accounts.start();
  const forCollector = {
    ...secrets,
    ...clock,
    ACCOUNTS_URL: accounts.url,
    LEDGER_URL: "http://127.0.0.1:9",
    SPOOL_DIR: join(directory, "spool"),
  };
  const collector = await processUnderDrill(context, "collector", { environment: forCollector });
  await collector.start();
  const erasing = await processUnderDrill(context, "collector-worker", {
    environment: { ...secrets, ...clock },
  });
  await erasing.start();
  const { CLICKHOUSE_URL = "" } = secrets;
  const insights = await processUnderDrill(context, "insights", {
    environment: { CLICKHOUSE_URL, ...clock },
  });
  await insights.start();
  const studio = await processUnderDrill(context, "studio", {
    environment: { ...secrets, ...clock },
  });
  await studio.start();
  return {
    accounts,
    collector,
    insights,
    studio,
    stop: async (): Promise<void> => {
      for (const service of [studio, insights, erasing, collector, accounts]) await service.stop();
    },
  };
}

/** The test clock, which goes on by itself: collectors wait for a minute before they state that all is stored. */
function timeOf(owner: Sql, file: string) {
  const stepMs = 65_000;
  let aheadMs = 0;
  const pass = async (ms: number): Promise<void> => {
    aheadMs += ms;
    await writeFile(`${file}.new`, JSON.stringify({ aheadMs }));
    // Services read it at any moment.
    await rename(`${file}.new`, file);
    await owner`
      insert into ledger.test_clock (ahead) values (interval '1 ms' * ${aheadMs}::float8)
      on conflict (one) do update set ahead = excluded.ahead`;
  };
  return {
    nowMs: () => Date.now() + aheadMs,
    pass,
    start: () =>
      repeat({
        everyMs: 2000,
        pass: async () => {
          await pass(stepMs);
          return "wait";
        },
        onFailing: () => undefined,
      }),
  };
}

const Requested = z.object({ request: z.object({ requestId: z.uuid() }) });
const Collected = copyReviewCalls["GET /api/console/privacy/requests/:requestId/review"].answer;
const Reviewed = z.object({ request: z.object({ version: z.int() }) });

/** Accounts, and the calls that browsers make; each signs in for each call, without a password. */
function peopleOf(owner: Sql, keys: Awaited<ReturnType<typeof openAccountKeys>>) {
  async function account(nowMs: number): Promise<{ accountId: string; email: string }> {
    const accountId = randomUUID();
    const email = `${accountId}@example.com`;
    const profile = { fullName: "Dana Levi", language: "he", timeZone: "Asia/Jerusalem" } as const;
    const inserted = { accountId, email, profile, passwordHash: "", nowMs };
    await owner.begin((tx) => insertAccount(tx, keys, inserted));
    return { accountId, email };
  }
  async function person(url: string, nowMs: () => number, isOfficer: boolean) {
    const { accountId, email } = await account(nowMs());
    if (isOfficer)
      await owner`update accounts.account set roles = roles || 'officer'::text where account_id = ${accountId}`;
    const call = async (method: "GET" | "POST", path: string, body?: object): Promise<Response> => {
      // The test clock passes the end of a session within minutes.
      const session = { accountId, factor: isOfficer, userAgent: undefined, nowMs: nowMs() };
      const { token } = await openSession(owner, session);
      return await fetch(`${url}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "idempotency-key": randomUUID(),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    };
    return { accountId, email, call };
  }
  return {
    holder: async (url: string, nowMs: () => number) => {
      const { accountId, email, call } = await person(url, nowMs, false);
      const asks = async (path: string, body: object): Promise<string> =>
        Requested.parse(await answered(await call("POST", `/privacy/requests/${path}`, body)))
          .request.requestId;
      return {
        accountId,
        asksForDeletion: () => asks("delete", { email, reason: "I found a job" }),
        waives: () => asks("waive-grace", { email }),
        asksForCopy: () => asks("access", {}),
        downloads: (requestId: string) => call("GET", `/privacy/requests/${requestId}/package`),
      };
    },
    officer: async (url: string, nowMs: () => number) => {
      const { call } = await person(url, nowMs, true);
      return {
        decides: async (requestId: string, act: string, body: object = {}): Promise<void> => {
          const path = `/console/privacy/requests/${requestId}`;
          const { version } = Reviewed.parse(await answered(await call("GET", path))).request;
          await answered(await call("POST", `${path}/${act}`, { version, ...body }));
        },
        reads: async (requestId: string) =>
          Collected.parse(
            await answered(await call("GET", `/console/privacy/requests/${requestId}/review`)),
          ),
      };
    },
  };
}

async function answered(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answers ${response.status} ${text}`);
  return JSON.parse(text);
}
