import { parseEnv, postgresUrl } from "@pro-talent/platform/config/define-env";
import type postgres from "postgres";
import { z } from "zod";

import { connect, isProvisioned } from "./is-provisioned.ts";
import {
  DATABASE,
  OPERATED_ROLE,
  OPERATING_ROLE,
  OPERATOR_ROLES,
  type OperatorRole,
  operatorRoles,
  OWNER_CONNECTIONS,
  OWNER_ROLE,
  type ProvisionOptions,
  SERVICE_ROLES,
  type ServiceRole,
  serviceRoles,
  SHREDDER_ROLE,
} from "./roles.ts";
import { scramVerifier } from "./scram-verifier.ts";

/**
 * Creates what the migrations need, or repairs it: the database, its owner, one role for each
 * service and each kind of operator that can connect and nothing else, and the one that destroys
 * personal data. What a role may do with tables is granted by the migrations. Running it again, or twice at once, changes
 * nothing but the passwords, which become the given ones.
 * @throws {postgres.PostgresError} when the administrator may not do this
 */
export async function provisionPostgres(options: ProvisionOptions): Promise<void> {
  if (await isProvisioned(options)) return;
  const database = options.database ?? DATABASE;
  const admin = connect(options.adminUrl);
  try {
    // Held until the connection ends: two at once must not interleave, in whatever they change.
    await admin`select pg_advisory_lock(hashtext('pro_talent provision'))`;
    await ensureRole(admin, OWNER_ROLE, options.ownerPassword, OWNER_CONNECTIONS);
    for (const role of serviceRoles) {
      await ensureRole(admin, role, options.servicePasswords[role], SERVICE_ROLES[role]);
      await leaveRole(admin, OWNER_ROLE, role);
    }
    for (const role of operatorRoles) {
      await ensureRole(admin, role, options.operatorPasswords?.[role], OPERATOR_ROLES[role]);
      await leaveRole(admin, OWNER_ROLE, role);
    }
    await admin`grant ${admin(OPERATED_ROLE)} to ${admin(OPERATING_ROLE)} with inherit true, set false`;
    await ensureShredder(admin);
    await ensureDatabase(admin, database);
    await restrictDatabase(admin, database);
    await restrictPublicSchema(options.adminUrl, database);
  } finally {
    await admin.end();
  }
}

async function ensureRole(
  sql: postgres.Sql,
  role: string,
  password: string | undefined,
  connections: number,
): Promise<void> {
  const [known] = await sql`select 1 from pg_roles where rolname = ${role}`;
  if (known === undefined) await sql`create role ${sql(role)}`;
  // Utility statements take no parameters; the verifier's alphabet holds no quote.
  const signIn =
    password === undefined
      ? "nologin password null"
      : `login password '${scramVerifier(password)}'`;
  await sql.unsafe(`
    alter role ${role} with nosuperuser nocreatedb nocreaterole noreplication nobypassrls
    connection limit ${connections} ${signIn}`);
}

/** A service that had become a member of such a role could change the tables it writes to. */
async function leaveRole(
  sql: postgres.Sql,
  role: string,
  member: ServiceRole | OperatorRole,
): Promise<void> {
  const [membership] = await sql`
    select 1 from pg_auth_members
    where roleid = ${role}::regrole and member = ${member}::regrole`;
  if (membership !== undefined) await sql`revoke ${sql(role)} from ${sql(member)}`;
}

/** The owner may take the role on, which handing a function over needs, but does not have its rights. */
async function ensureShredder(sql: postgres.Sql): Promise<void> {
  const [known] = await sql`select 1 from pg_roles where rolname = ${SHREDDER_ROLE}`;
  if (known === undefined) await sql`create role ${sql(SHREDDER_ROLE)}`;
  await sql`alter role ${sql(SHREDDER_ROLE)} with nologin nosuperuser nocreatedb nocreaterole
    noreplication nobypassrls password null`;
  await sql`grant ${sql(SHREDDER_ROLE)} to ${sql(OWNER_ROLE)} with inherit false, set true`;
  for (const role of [...serviceRoles, ...operatorRoles]) {
    await leaveRole(sql, SHREDDER_ROLE, role);
  }
}

async function ensureDatabase(sql: postgres.Sql, database: string): Promise<void> {
  const [known] = await sql`select 1 from pg_database where datname = ${database}`;
  if (known === undefined) {
    await sql`
      create database ${sql(database)} owner ${sql(OWNER_ROLE)} encoding 'UTF8' template template0`;
  }
  await sql`alter database ${sql(database)} owner to ${sql(OWNER_ROLE)}`;
}

async function restrictDatabase(sql: postgres.Sql, database: string): Promise<void> {
  await sql`revoke all on database ${sql(database)} from public`;
  for (const role of [...serviceRoles, ...operatorRoles]) {
    await sql`grant connect on database ${sql(database)} to ${sql(role)}`;
  }
}

/** The schema `public` of every new database is open for all to use. */
async function restrictPublicSchema(adminUrl: string, database: string): Promise<void> {
  const sql = connect(adminUrl, database);
  try {
    await sql`revoke all on schema public from public`;
  } finally {
    await sql.end();
  }
}

const password = z.string().min(16);

/**
 * What to provision, from the environment.
 * @throws naming every variable that is missing or wrong, never its value
 */
export function readProvisionOptions(source: NodeJS.ProcessEnv = process.env): ProvisionOptions {
  const env = parseEnv(
    {
      /** Superuser, as in `postgres://postgres:secret@postgres:5432/postgres`. */
      POSTGRES_ADMIN_URL: postgresUrl,
      POSTGRES_OWNER_PASSWORD: password,
      LEDGER_APP_PASSWORD: password,
      LEDGER_KEEPER_PASSWORD: password,
      COLLECTOR_APP_PASSWORD: password,
      ACCOUNTS_APP_PASSWORD: password,
      INSIGHTS_APP_PASSWORD: password,
      STUDIO_APP_PASSWORD: password,
      JOBS_APP_PASSWORD: password,
      /** Of operators; one that is absent cannot sign in. */
      LEDGER_OPERATOR_PASSWORD: password.optional(),
      LEDGER_VERIFIER_PASSWORD: password.optional(),
      LEDGER_INBOX_PASSWORD: password.optional(),
    },
    source,
  );
  return {
    adminUrl: env.POSTGRES_ADMIN_URL,
    ownerPassword: env.POSTGRES_OWNER_PASSWORD,
    servicePasswords: {
      ledger_app: env.LEDGER_APP_PASSWORD,
      ledger_keeper: env.LEDGER_KEEPER_PASSWORD,
      collector_app: env.COLLECTOR_APP_PASSWORD,
      accounts_app: env.ACCOUNTS_APP_PASSWORD,
      insights_app: env.INSIGHTS_APP_PASSWORD,
      studio_app: env.STUDIO_APP_PASSWORD,
      jobs_app: env.JOBS_APP_PASSWORD,
    },
    operatorPasswords: {
      ledger_operator: env.LEDGER_OPERATOR_PASSWORD,
      ledger_verifier: env.LEDGER_VERIFIER_PASSWORD,
      ledger_inbox: env.LEDGER_INBOX_PASSWORD,
    },
  };
}

if (import.meta.main) {
  await provisionPostgres(readProvisionOptions());
  console.log(`Database ${DATABASE}, its owner and the service roles are in place.`);
}
