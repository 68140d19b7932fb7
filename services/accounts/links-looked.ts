import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { internalLookedCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

/** Stands for all links together. */
const allLinks = "00000000-0000-0000-0000-000000000000";

/** Links that one account may have looked at: more than it can hold. */
const linksMax = 10_000;

/** When account holders last looked at the opens of their links. */
export function lookedHandlers({
  sql,
  clock,
}: {
  readonly sql: Sql;
  readonly clock: Clock;
}): CallHandlers<typeof internalLookedCalls> {
  return {
    "GET /internal/accounts/:accountId/looked": async ({ params: { accountId } }) => {
      const rows = await sql<{ link_id: string; looked_at: Date }[]>`
        select link_id, looked_at from accounts.links_looked where account_id = ${accountId}
         order by looked_at desc limit ${linksMax}`;
      const looks = rows.map((row) => {
        return { linkId: row.link_id, at: instantFromMs(row.looked_at.getTime()) };
      });
      return {
        allAt: looks.find(({ linkId }) => linkId === allLinks)?.at ?? null,
        links: looks.filter(({ linkId }) => linkId !== allLinks),
      };
    },
    // Of an account that is gone nothing is recorded.
    "POST /internal/accounts/:accountId/looked": async ({ params: { accountId }, body }) => {
      await sql`
        insert into accounts.links_looked (account_id, link_id, looked_at)
        select account_id, ${body.linkId ?? allLinks}, ${new Date(clock())}
          from accounts.account where account_id = ${accountId}
        on conflict (account_id, link_id) do update set looked_at = excluded.looked_at`;
      return { status: "recorded" as const };
    },
  };
}
