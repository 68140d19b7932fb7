import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { internalUseCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { Day } from "@pro-talent/schemas/primitives/calendar";

import type { AccountsContext } from "./context.ts";

/** Accounts of one answer. */
const most = 500;

type Row = { readonly accountId: string; readonly day: string };

/** When accounts were last used; for the ledger, which decides about those that are not. */
export function useHandlers({ sql }: AccountsContext): CallHandlers<typeof internalUseCalls> {
  return {
    "POST /internal/accounts/unused": async ({ body: { before, after } }) => {
      const rows = await sql<Row[]>`
        select account_id as "accountId", active_on::text as day from accounts.last_use
         where status = 'open' and active_on < ${before}::date
           and account_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
         order by account_id limit ${most}`;
      const accounts = rows.map(({ accountId, day }) => ({ accountId, activeOn: Day.parse(day) }));
      return { accounts, more: accounts.length === most };
    },
    "GET /internal/accounts/:accountId/last-use": async ({ params: { accountId } }) => {
      const [row] = await sql<Row[]>`
        select account_id as "accountId", active_on::text as day from accounts.last_use
         where account_id = ${accountId} and status = 'open'`;
      if (row === undefined) throw new ProblemError("not_found");
      return { activeOn: Day.parse(row.day) };
    },
  };
}
