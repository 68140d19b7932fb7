import type { Queryable } from "@pro-talent/platform/postgres/pool";

/**
 * Whether links are all of one account. Read from what links keep, for the domains that may not import it.
 */
export async function ownsLinks(
  sql: Queryable,
  accountId: string,
  linkIds: readonly string[],
): Promise<boolean> {
  const wanted = new Set(linkIds);
  if (wanted.size === 0) return true;
  const rows = await sql`
    select from ledger.link where account_id = ${accountId} and link_id = any (${[...wanted]}::uuid[])`;
  return rows.length === wanted.size;
}
