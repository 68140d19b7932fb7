import postgres from "postgres";

import {
  DATABASE,
  OPERATED_ROLE,
  OPERATING_ROLE,
  OPERATOR_ROLES,
  operatorRoles,
  OWNER_CONNECTIONS,
  OWNER_ROLE,
  type ProvisionOptions,
  SERVICE_ROLES,
  serviceRoles,
  SHREDDER_ROLE,
} from "./roles.ts";
import { matchesVerifier } from "./scram-verifier.ts";

/** A database that does not exist (PostgreSQL, appendix A). */
const INVALID_CATALOG_NAME = "3D000";

type RoleState = {
  rolname: string;
  rolpassword: string | null;
  rolconnlimit: number;
  rolcanlogin: boolean;
  /** Has no power but to sign in, nor that of the owner. */
  isPlain: boolean;
};

/**
 * Whether everything already is as provisioning would leave it: one connection and three reads, so
 * that an ordinary start writes nothing.
 */
export async function isProvisioned(options: ProvisionOptions): Promise<boolean> {
  const sql = connect(options.adminUrl, options.database ?? DATABASE);
  try {
    return (await isRestricted(sql)) && (await haveRoles(sql, options)) && (await hasShredder(sql));
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === INVALID_CATALOG_NAME)
      return false;
    throw error;
  } finally {
    await sql.end();
  }
}

/** @param database instead of the address's own */
export function connect(adminUrl: string, database?: string): postgres.Sql {
  const url = new URL(adminUrl);
  if (database !== undefined) url.pathname = `/${database}`;
  return postgres(url.toString(), {
    max: 1,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: { application_name: "provision" },
  });
}

async function isRestricted(sql: postgres.Sql): Promise<boolean> {
  const [state] = await sql<{ fine: boolean }[]>`
    select pg_get_userbyid(datdba) = ${OWNER_ROLE}
       and not has_database_privilege('public', oid, 'connect, temporary, create')
       and not has_schema_privilege('public', 'public', 'usage, create') as fine
    from pg_database where datname = current_database()`;
  return state?.fine === true;
}

async function haveRoles(sql: postgres.Sql, options: ProvisionOptions): Promise<boolean> {
  const wanted = [
    { role: OWNER_ROLE, password: options.ownerPassword, connections: OWNER_CONNECTIONS },
    ...serviceRoles.map((role) => ({
      role,
      password: options.servicePasswords[role],
      connections: SERVICE_ROLES[role],
    })),
    ...operatorRoles.map((role) => ({
      role,
      password: options.operatorPasswords?.[role],
      connections: OPERATOR_ROLES[role],
    })),
  ];
  const found = await sql<RoleState[]>`
    select a.rolname, a.rolpassword, a.rolconnlimit, a.rolcanlogin,
      not (a.rolsuper or a.rolcreatedb or a.rolcreaterole
        or a.rolreplication or a.rolbypassrls)
      and (a.rolname = ${OWNER_ROLE} or (
        has_database_privilege(a.rolname, current_database(), 'connect')
        and not exists (select 1 from pg_auth_members m join pg_roles o on o.oid = m.roleid
          where m.member = a.oid and o.rolname = ${OWNER_ROLE})))
      and (a.rolname <> ${OPERATING_ROLE} or pg_has_role(a.oid, ${OPERATED_ROLE}, 'usage')) as "isPlain"
    from pg_authid a where a.rolname = any(${wanted.map(({ role }) => role)})`;
  return wanted.every(({ role, password, connections }) =>
    found.some(
      (state) =>
        state.rolname === role &&
        state.isPlain &&
        state.rolconnlimit === connections &&
        state.rolcanlogin === (password !== undefined) &&
        (password === undefined || matchesVerifier(password, state.rolpassword ?? "")),
    ),
  );
}

/** Signs in nowhere, has no power, and only the owner may take it on. */
async function hasShredder(sql: postgres.Sql): Promise<boolean> {
  const [state] = await sql<{ fine: boolean }[]>`
    select not (r.rolcanlogin or r.rolsuper or r.rolcreatedb or r.rolcreaterole or r.rolreplication
        or r.rolbypassrls)
      and exists (select 1 from pg_auth_members m where m.roleid = r.oid
        and m.member = ${OWNER_ROLE}::regrole and m.set_option and not m.inherit_option)
      and not exists (select 1 from pg_auth_members m join pg_roles s on s.oid = m.member
        where m.roleid = r.oid and s.rolname = any(${[...serviceRoles, ...operatorRoles]})) as fine
    from pg_roles r where r.rolname = ${SHREDDER_ROLE}`;
  return state?.fine === true;
}
