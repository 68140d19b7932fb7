import { randomBytes } from "node:crypto";

import postgres from "postgres";
import { inject } from "vitest";

import { type ClickHouseClient, connectClickhouse } from "../clickhouse/connect.ts";
import { migrateClickhouse } from "../clickhouse/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Started once per test run: the embedded engines, or real servers in containers. */
    engines: {
      kind: "embedded" | "servers";
      postgresUrl: string;
      clickhouseUrl: string;
      /** Of a server in a container; else suites start the one that this machine has. */
      redisUrl?: string | undefined;
      /** Where jobs wait in all suites, if that was chosen. */
      queue?: "postgres" | "redis" | undefined;
    };
  }
}

export type TestPostgres = { ownerUrl: string; drop: () => Promise<void> };
export type TestClickhouse = {
  url: string;
  database: string;
  client: ClickHouseClient;
  drop: () => Promise<void>;
};

function freshName(): string {
  return `test_${randomBytes(8).toString("hex")}`;
}

/** The same address with another database, and optionally another role. */
export function postgresUrlFor(
  url: string,
  change: { database?: string; user?: string; password?: string },
): string {
  const next = new URL(url);
  if (change.database !== undefined) next.pathname = `/${change.database}`;
  if (change.user !== undefined) next.username = change.user;
  if (change.password !== undefined) next.password = change.password;
  return next.toString();
}

/** The login roles of services and operators, with the password they have in tests. */
export const testRoles = [
  "ledger_app",
  "ledger_keeper",
  "collector_app",
  "accounts_app",
  "insights_app",
  "studio_app",
  "jobs_app",
  "ledger_operator",
  "ledger_verifier",
  "ledger_inbox",
] as const;
export const testRolePassword = "test-only-role-password";

/** Without a login: it owns the ledger's function that destroys personal data. */
const shredderRole = "ledger_shredder";

async function ensureTestRoles(admin: postgres.Sql): Promise<void> {
  await admin.unsafe(`do $$ begin
    create role ${shredderRole} nologin;
  exception when duplicate_object or unique_violation then null; end $$`);
  for (const role of testRoles) {
    await admin.unsafe(`do $$ begin
      create role ${role} login password '${testRolePassword}';
    exception when duplicate_object or unique_violation then null; end $$`);
  }
  await admin.unsafe(`do $$ begin
    if not pg_has_role('ledger_operator', 'ledger_app', 'usage') then
      grant ledger_app to ledger_operator with inherit true, set false;
    end if;
  exception when unique_violation then null; end $$`);
}

/** Brings a database up to date, as its owner. Names what is copied: one for each set of migrations. */
export type Migration = { name: string; migrate: (ownerUrl: string) => Promise<unknown> };

/** A database that is migrated once in a test run, and only copied. @returns its name */
async function ensureMigrated(
  admin: postgres.Sql,
  postgresUrl: string,
  { name, migrate }: Migration,
): Promise<string> {
  const migrated = `migrated_${name}`;
  await admin`select pg_advisory_lock(hashtext(${migrated}))`;
  const found = await admin`select from pg_database where datname = ${migrated}`;
  if (found.length === 0) {
    const unfinished = freshName();
    await admin`create database ${admin(unfinished)}`;
    await migrate(postgresUrlFor(postgresUrl, { database: unfinished }));
    await admin`alter database ${admin(unfinished)} rename to ${admin(migrated)}`;
  }
  await admin`select pg_advisory_unlock(hashtext(${migrated}))`;
  return migrated;
}

/**
 * A Postgres database of its own for one test file; the services' roles exist.
 * @param migration what it holds from the start; nothing when absent
 */
export async function createTestPostgres(migration?: Migration): Promise<TestPostgres> {
  const { postgresUrl } = inject("engines");
  const admin = postgres(postgresUrl, { max: 1, onnotice: () => undefined });
  const database = freshName();
  await ensureTestRoles(admin);
  const from =
    migration === undefined ? "template1" : await ensureMigrated(admin, postgresUrl, migration);
  // Half the work of copying by way of the log, and a third when it is dropped.
  await admin`create database ${admin(database)} template ${admin(from)} strategy file_copy`;
  return {
    ownerUrl: postgresUrlFor(postgresUrl, { database }),
    drop: async () => {
      await admin`drop database ${admin(database)} with (force)`;
      await admin.end();
    },
  };
}

/** The test database's address as one of the services' roles. */
export function asRole(ownerUrl: string, role: (typeof testRoles)[number]): string {
  return postgresUrlFor(ownerUrl, { user: role, password: testRolePassword });
}

/** What a migrated ClickHouse database consists of, by the directory of its migrations. */
const migratedClickhouse = new Map<string, CopiedClickhouse>();
type CopiedClickhouse = {
  /** The database that was migrated, as the statements name it. */
  readonly original: string;
  readonly tables: readonly string[];
  readonly views: readonly string[];
  /** Which migrations were applied. */
  readonly applied: readonly object[];
};

/** Notes what migrations have made of a database. */
async function readMigrated(client: ClickHouseClient, database: string): Promise<CopiedClickhouse> {
  const result = await client.query({
    query: `SELECT create_table_query AS statement, endsWith(engine, 'View') AS isView
              FROM system.tables WHERE database = '${database}'`,
    format: "JSONEachRow",
  });
  const made = await result.json<{ statement: string; isView: number }>();
  const applied = await client.query({
    query: `SELECT * FROM ${database}.migration`,
    format: "JSONEachRow",
  });
  return {
    original: database,
    tables: made.filter(({ isView }) => isView === 0).map(({ statement }) => statement),
    views: made.filter(({ isView }) => isView === 1).map(({ statement }) => statement),
    applied: await applied.json<object>(),
  };
}

/** Makes at once what a hundred statements of migrations, one after the other, have led to. */
async function copyMigrated(
  client: ClickHouseClient,
  database: string,
  { original, tables, views, applied }: CopiedClickhouse,
): Promise<void> {
  for (const statements of [tables, views]) {
    const copies = statements.map((text) => text.replaceAll(original, database));
    await Promise.all(copies.map((query) => client.command({ query })));
  }
  await client.insert({
    table: `${database}.migration`,
    values: [...applied],
    format: "JSONEachRow",
  });
}

/**
 * A ClickHouse database of its own for one test file.
 * @param migrations directory of what it holds from the start; nothing when absent
 */
export async function createTestClickhouse(migrations?: string): Promise<TestClickhouse> {
  const { clickhouseUrl } = inject("engines");
  const client = connectClickhouse(clickhouseUrl, { application: "test" });
  const database = freshName();
  await client.command({ query: `CREATE DATABASE ${database}` });
  const known = migratedClickhouse.get(migrations ?? "");
  if (known !== undefined) await copyMigrated(client, database, known);
  else if (migrations !== undefined) {
    const topology = { kind: "single" } as const;
    await migrateClickhouse(client, { database, directory: migrations, topology });
    migratedClickhouse.set(migrations, await readMigrated(client, database));
  }
  return {
    url: clickhouseUrl,
    database,
    client,
    drop: async () => {
      await client.command({ query: `DROP DATABASE ${database} SYNC` });
      await client.close();
    },
  };
}
