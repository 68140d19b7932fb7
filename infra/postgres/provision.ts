import postgres from "postgres";

import { readProvisionOptions } from "./env.ts";
import { scramVerifier } from "./scram-verifier.ts";

export const DATABASE = "pro_talent";
export const OWNER_ROLE = "pro_talent_owner";

/** Roles of the services and how many connections each may hold, all its instances together. */
const SERVICE_ROLES = { ledger_app: 60, collector_app: 60 } as const;
const OWNER_CONNECTIONS = 20;

export type ServiceRole = keyof typeof SERVICE_ROLES;

export type ProvisionOptions = {
  /** A superuser, on any database of the server. */
  adminUrl: string;
  ownerPassword: string;
  servicePasswords: Readonly<Record<ServiceRole, string>>;
  /** Another name than `pro_talent`, for tests. */
  database?: string;
};

type Sql = postgres.Sql | postgres.TransactionSql;

/**
 * Creates what the migrations need, or repairs it: the database, its owner, and one role for each
 * service that can connect and nothing else. What a service role may do with tables is granted by
 * the migrations. Running it again, or twice at once, changes nothing but the passwords, which
 * become the given ones.
 * @throws {postgres.PostgresError} when the administrator may not do this
 */
export async function provisionPostgres(options: ProvisionOptions): Promise<void> {
  const database = options.database ?? DATABASE;
  const admin = connect(options.adminUrl);
  try {
    await admin.begin(async (tx) => {
      // Roles belong to the whole server: provisioning of two databases must not interleave.
      await tx`select pg_advisory_xact_lock(hashtext('pro_talent provision'))`;
      await ensureRole(tx, OWNER_ROLE, options.ownerPassword, OWNER_CONNECTIONS);
      for (const role of serviceRoles()) {
        await ensureRole(tx, role, options.servicePasswords[role], SERVICE_ROLES[role]);
        await leaveOwner(tx, role);
      }
    });
    await ensureDatabase(admin, database);
    await restrictDatabase(admin, database);
  } finally {
    await admin.end();
  }
  await restrictPublicSchema(options.adminUrl, database);
}

function serviceRoles(): ServiceRole[] {
  return ["ledger_app", "collector_app"];
}

function connect(url: string): postgres.Sql {
  return postgres(url, {
    max: 1,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: { application_name: "provision" },
  });
}

async function ensureRole(
  sql: Sql,
  role: string,
  password: string,
  connections: number,
): Promise<void> {
  const [known] = await sql`select 1 from pg_roles where rolname = ${role}`;
  if (known === undefined) await sql`create role ${sql(role)}`;
  // Utility statements take no parameters; the verifier's alphabet holds no quote.
  await sql.unsafe(`
    alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
    connection limit ${connections} password '${scramVerifier(password)}'`);
}

/** A service role that had become a member of the owner could change the tables it writes to. */
async function leaveOwner(sql: Sql, role: ServiceRole): Promise<void> {
  const [membership] = await sql`
    select 1 from pg_auth_members
    where roleid = ${OWNER_ROLE}::regrole and member = ${role}::regrole`;
  if (membership !== undefined) await sql`revoke ${sql(OWNER_ROLE)} from ${sql(role)}`;
}

/** `CREATE DATABASE` runs in no transaction and knows no `IF NOT EXISTS`: a second one may lose. */
async function ensureDatabase(sql: Sql, database: string): Promise<void> {
  const [known] = await sql`select 1 from pg_database where datname = ${database}`;
  if (known === undefined) {
    await sql`create database ${sql(database)} owner ${sql(OWNER_ROLE)} encoding 'UTF8' template template0`.catch(
      async (error: unknown) => {
        const [created] = await sql`select 1 from pg_database where datname = ${database}`;
        if (created === undefined) throw error;
      },
    );
  }
  await sql`alter database ${sql(database)} owner to ${sql(OWNER_ROLE)}`;
}

async function restrictDatabase(sql: Sql, database: string): Promise<void> {
  await sql`revoke all on database ${sql(database)} from public`;
  for (const role of serviceRoles()) {
    await sql`grant connect on database ${sql(database)} to ${sql(role)}`;
  }
}

/** The schema `public` of every new database is open for all to use. */
async function restrictPublicSchema(adminUrl: string, database: string): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  const sql = connect(url.toString());
  try {
    await sql`revoke all on schema public from public`;
  } finally {
    await sql.end();
  }
}

if (import.meta.main) {
  await provisionPostgres(readProvisionOptions());
  console.log(`Database ${DATABASE}, its owner and the service roles are in place.`);
}
