import { createWriteStream } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";

import { contactEvents, settleMatter } from "@pro-talent/ledger/domains/contact/contact-messages";
import { mailTokenKey, writeToken } from "@pro-talent/ledger/domains/newsletter/mail-tokens";
import { type Keyring, openKeyring } from "@pro-talent/ledger/kernel/keys/keyring";
import { openLedgerKeys } from "@pro-talent/ledger/kernel/keys/open-keys";
import { vacuumRemoved } from "@pro-talent/ledger/kernel/keys/vacuum";
import { openSubjects } from "@pro-talent/ledger/kernel/subjects";
import { testCause } from "@pro-talent/ledger/testing/create-test-ledger";
import { startScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { migrate, processUnderDrill, startDatabase } from "./drill-services.ts";

/** The ledger's service and worker on a database of their own, and what an attacker could copy of it. */
export type ErasureDrillStack = Awaited<ReturnType<typeof startErasureDrillStack>>;

/** Starts everything in `directory`, which must be empty. */
export async function startErasureDrillStack(directory: string) {
  const database = await startDatabase(directory);
  const { context } = database;
  await migrate(context, "ledger");
  const smtp = await startScriptedSmtp();
  const service = await processUnderDrill(context, "ledger");
  const environment = { SMTP_URL: smtp.url };
  const worker = await processUnderDrill(context, "ledger-worker", { environment });
  await service.start();
  await worker.start();
  const open = (url: string): Sql =>
    openPool(url, { max: 2, applicationName: "drill", statementSecondsMax: 300 });
  const [admin, sql, keeper] = [
    open(database.adminUrl.replace(/\/postgres$/u, "/pro_talent")),
    open(context.databaseUrl("ledger_app")),
    open(context.databaseUrl("ledger_keeper")),
  ];
  const keys = openLedgerKeys(context.keys);
  const log = createLogger({ service: "drill", level: "warn" });
  const keyring = openKeyring({ sql, keys, log });
  const subjects = openSubjects(sql, keyring);
  const stack = { admin, keeper, keys, keyring, log, subjects, url: service.url };
  return {
    ...stack,
    context,
    logs: context.logs,
    ...formsOf(stack),
    settle: (messageId: string) =>
      settleMatter({ sql, readModels: [] }, messageId, {
        now: instantFromMs(Date.now()),
        cause: testCause("operator"),
      }),
    /** Resolves when the worker has destroyed the subject's key; then removes what it left on pages. */
    untilErased: async (ids: readonly string[]): Promise<void> => {
      const isGone = async (): Promise<boolean> =>
        (await admin`select from ledger.subject where subject_id = any (${ids}::uuid[])`).length ===
        0;
      await until("the worker has erased the subjects", isGone, 60_000);
      await vacuumRemoved(keeper);
    },
    copies: copiesOf(admin, directory),
    stop: async (): Promise<void> => {
      await worker.stop();
      await service.stop();
      await Promise.all([admin.end(), sql.end(), keeper.end(), smtp.stop()]);
      await database.stop();
    },
  };
}

type Forms = { readonly admin: Sql; readonly keyring: Keyring; readonly url: string };

/** The product's own calls, as a visitor's browser makes them. */
function formsOf({ admin, keyring, url }: Forms) {
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  };
  const newestId = async (category: string): Promise<string> => {
    const [row] = await admin<{ stream: string }[]>`
      select stream from ledger.event where stream like ${`${category}-%`} order by pos desc limit 1`;
    return row?.stream.slice(category.length + 1) ?? "";
  };
  const token = (purpose: "confirm" | "manage", subscriberId: string): string =>
    writeToken(mailTokenKey(keyring), { purpose, subscriberId, mail: 1 });
  return {
    /** @returns the id of the message, which is that of its data subject */
    sendMessage: async (email: string, message: string): Promise<string> => {
      const details = { name: "Canary", email, subject: "bug", subjectCategory: "bug", message };
      await post("/api/contact/send", { ...details, sessionId: null });
      return newestId(contactEvents.category);
    },
    /** @returns the id of the confirmed subscriber */
    subscribe: async (email: string): Promise<string> => {
      await post("/api/newsletter/subscribe", {
        email,
        language: "en",
        sourceContext: "footer_form",
        consentText: newsletterConsentTexts[0]?.text.en,
        preferences: { frequency: "weekly", topics: ["updates"] },
        tags: [],
      });
      const id = await newestId("newsletter");
      await post("/api/newsletter/confirm", { token: token("confirm", id) });
      return id;
    },
    unsubscribe: (id: string): Promise<void> =>
      post("/api/newsletter/unsubscribe", { token: token("manage", id) }),
  };
}

/** What backups take: a dump of every table as text, and the files of the cluster with their log. */
function copiesOf(admin: Sql, directory: string) {
  return {
    /** Where the files of the running cluster are, all in their place. */
    live: async (): Promise<string> => {
      await admin.unsafe("checkpoint");
      const [row] = await admin<{ data_directory: string }[]>`show data_directory`;
      return row?.data_directory ?? "";
    },
    logical: async (): Promise<string> => {
      const to = join(directory, "logical");
      await mkdir(to);
      const tables = await admin<{ name: string }[]>`
        select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`;
      for (const { name } of tables) {
        const file = createWriteStream(join(to, `${name}.txt`));
        const rows = await admin.unsafe(`select t::text as line from ${name} t`);
        for (const { line } of rows) file.write(`${String(line)}\n`);
        await finished(file.end());
      }
      return to;
    },
    physical: async (): Promise<string> => {
      const to = join(directory, "physical");
      const [row] = await admin<{ data_directory: string }[]>`show data_directory`;
      await admin.begin(async (tx) => {
        await tx.unsafe("set local idle_in_transaction_session_timeout = 0");
        await tx`select pg_backup_start('drill', true)`;
        await cp(row?.data_directory ?? "", to, { recursive: true, force: true });
        await tx`select pg_backup_stop(false)`;
      });
      return to;
    },
    settings: async (): Promise<Record<string, string>> => {
      const rows = await admin<{ name: string; setting: string }[]>`
        select name, setting from pg_settings where name in ('full_page_writes', 'wal_compression')`;
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    },
  };
}
