import { join } from "node:path";

import { type Ledger, runCommand } from "@pro-talent/ledger/kernel/commands";
import { newNote, noteCommand, notes } from "@pro-talent/ledger/kernel/testing/notes";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";
import { until } from "@pro-talent/platform/testing/until";
import { expect, test } from "vitest";

import { provisionPostgres } from "../../postgres/provision.ts";
import { DATABASE, OWNER_ROLE } from "../../postgres/roles.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { startPostgres } from "./start-postgres.ts";

const password = "test-only-password-0123456789";
/** As forms are recorded: many commands wait for the disk together, each before its answer. */
const groupedNotes = { ...notes, durableWith: "answer" } as const;

test("what was answered survives kills of the whole database, also where many wait for the disk together", async () => {
  const directory = await temporaryDirectory();
  const server = await startPostgres({ dataDir: join(directory.path, "postgres") });
  const urlOf = (role: string): string =>
    `postgres://${role}:${password}@127.0.0.1:${server.port}/${DATABASE}`;
  await provisionPostgres({
    adminUrl: server.url,
    ownerPassword: password,
    servicePasswords: {
      ledger_app: password,
      ledger_keeper: password,
      collector_app: password,
      accounts_app: password,
      insights_app: password,
      studio_app: password,
      jobs_app: password,
    },
  });
  await migrateLedger(urlOf(OWNER_ROLE));
  const sql = openPool(urlOf("ledger_app"), { max: 8, applicationName: "test" });
  const ledger: Ledger = { sql, readModels: [] };
  const answered: string[] = [];
  const write = async (): Promise<void> => {
    for (;;) {
      const stream = newNote();
      await runCommand(ledger, groupedNotes, noteCommand(stream, "WriteNote"));
      answered.push(stream);
    }
  };
  try {
    for (const kill of [1, 2, 3]) {
      const writers = Array.from({ length: 8 }, () =>
        write().catch((error: unknown) => {
          if (!(error instanceof PostgresUnavailable)) throw error;
        }),
      );
      await until("enough is answered", () => answered.length > kill * 200, 20_000);
      const victim = server.pid();
      if (victim === undefined) throw new Error("there is no postmaster");
      process.kill(victim, "SIGKILL");
      await Promise.all(writers);
      await until("it answers again", async () => (await sql`select 1`).length === 1, 20_000);
      const kept = await sql<{ stream: string }[]>`select stream from ledger.event`;
      const streams = new Set(kept.map(({ stream }) => stream));
      expect(answered.filter((stream) => !streams.has(stream))).toEqual([]);
    }
  } finally {
    await sql.end();
    await server.stop();
    await directory.remove();
  }
}, 60_000);
