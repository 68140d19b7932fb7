import type { Sql } from "@pro-talent/platform/postgres/pool";
import { type Role, roles, staffRoles } from "@pro-talent/schemas/primitives/access";
import { v7 as uuidV7 } from "uuid";

export type StaffRole = (typeof staffRoles)[number];

export type RoleChange = {
  readonly accountId: string;
  readonly role: StaffRole;
  /** Granted, or revoked. */
  readonly granted: boolean;
  /** Who does it, by the name of their account on the machine. */
  readonly operator: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
};

/**
 * Grants a role, or revokes it, and records that. All sign-in sessions of the account end with it.
 * @param sql as the database's owner, who alone records such changes
 * @returns false when nothing had to be changed
 */
export function changeRole(sql: Sql, change: RoleChange): Promise<boolean> {
  const { accountId, role, granted, operator, nowMs } = change;
  return sql.begin(async (tx) => {
    const { count } = await tx`
      update accounts.account
         set roles = case when ${granted} then roles || ${role}::text
                          else array_remove(roles, ${role}::text) end
       where account_id = ${accountId} and (${role}::text = any (roles)) <> ${granted}`;
    if (count === 0) return false;
    await tx`
      insert into accounts.role_change (change_id, account_id, role, granted, operator, changed_at)
      values (${uuidV7()}, ${accountId}, ${role}, ${granted}, ${operator}, ${new Date(nowMs)})`;
    return true;
  });
}

/** The accounts with more roles than that of a holder. */
export async function listStaff(
  sql: Sql,
): Promise<{ readonly accountId: string; readonly roles: readonly Role[] }[]> {
  const rows = await sql<{ account_id: string; roles: string[] }[]>`
    select account_id, roles from accounts.account
     where roles && ${staffRoles}::text[] order by created_at, account_id`;
  return rows.map((row) => ({
    accountId: row.account_id,
    roles: roles.filter((role) => role !== "holder" && row.roles.includes(role)),
  }));
}

/** The accounts of privacy officers, the oldest first. */
export async function officerIds(sql: Sql): Promise<readonly string[]> {
  const staff = await listStaff(sql);
  return staff.flatMap(({ accountId, roles: held }) =>
    held.includes("officer") ? [accountId] : [],
  );
}

/** The roles of one account; none when it is gone. */
export async function rolesOf(sql: Sql, accountId: string): Promise<Role[]> {
  const [row] = await sql<{ roles: string[] }[]>`
    select roles from accounts.account where account_id = ${accountId}`;
  return roles.filter((role) => row?.roles.includes(role) === true);
}
