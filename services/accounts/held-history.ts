import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { staffRoles } from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import { z } from "zod";

const at = (date: Date) => instantFromMs(date.getTime());

/** What happened to an account: its opening, roles, recoveries, and when its holder looked at links. */
export async function historyOf(sql: Queryable, accountId: string): Promise<HeldRecord[]> {
  return [
    ...(await openingOf(sql, accountId)),
    ...(await rolesOf(sql, accountId)),
    ...(await recoveriesOf(sql, accountId)),
    ...(await looksOf(sql, accountId)),
  ];
}

async function openingOf(sql: Queryable, accountId: string): Promise<HeldRecord[]> {
  const rows = await sql<{ accepted: Date; documents: { document: string; version: string }[] }[]>`
    select accepted_at as accepted, documents from accounts.account_opening
     where account_id = ${accountId}`;
  return rows.flatMap(({ accepted, documents }) =>
    documents.map(({ document, version }) =>
      HeldRecord.parse([
        { field: "consent", word: document },
        { field: "version", text: version },
        { field: "created-at", at: at(accepted) },
      ]),
    ),
  );
}

async function rolesOf(sql: Queryable, accountId: string): Promise<HeldRecord[]> {
  const rows = await sql<{ role: string; granted: boolean; changed: Date }[]>`
    select role, granted, changed_at as changed from accounts.role_change
     where account_id = ${accountId} order by changed_at, change_id`;
  return rows.map(({ role, granted, changed }) => [
    { field: "role", word: z.enum(staffRoles).parse(role) },
    { field: "status", word: granted ? "role-granted" : "role-withdrawn" },
    { field: "changed-at", at: at(changed) },
  ]);
}

const outcomes = {
  completed: "completed",
  refused: "refused",
  factor_used: "factor-used",
  withdrawn: "withdrawn",
} as const;

async function recoveriesOf(sql: Queryable, accountId: string): Promise<HeldRecord[]> {
  const rows = await sql<
    { requested: Date; ended: Date | null; outcome: keyof typeof outcomes | null }[]
  >`
    select requested_at as requested, ended_at as ended, outcome from accounts.recovery
     where account_id = ${accountId} order by requested_at`;
  return rows.map(({ requested, ended, outcome }) => [
    { field: "recovery", word: outcome === null ? "pending" : outcomes[outcome] },
    { field: "created-at", at: at(requested) },
    ...(ended === null ? [] : [{ field: "changed-at" as const, at: at(ended) }]),
  ]);
}

async function looksOf(sql: Queryable, accountId: string): Promise<HeldRecord[]> {
  const rows = await sql<{ looked: Date }[]>`
    select looked_at as looked from accounts.links_looked
     where account_id = ${accountId} order by looked_at desc`;
  return rows.map(({ looked }) => [{ field: "looked", at: at(looked) }]);
}
