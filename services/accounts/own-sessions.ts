import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { accountCalls } from "@pro-talent/schemas/accounts/calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { clearOwnerCookie } from "./complete-sign-in.ts";
import type { AccountsContext } from "./context.ts";
import { endSessions, randomToken } from "./sessions.ts";

type SessionCalls = Pick<
  typeof accountCalls,
  | "GET /api/account/sessions"
  | "DELETE /api/account/sessions/:sessionId"
  | "POST /api/account/sessions/end-others"
  | "POST /api/account/sign-out"
  | "POST /api/account/tickets"
>;

const ticketMs = 60_000;

/** Where an account is signed in, and the ends of that. */
export function sessionHandlers(context: AccountsContext): CallHandlers<SessionCalls> {
  const { sql, clock } = context;
  return {
    "GET /api/account/sessions": async (_input, { account }) => ({
      sessions: await listSessions(sql, account),
    }),
    "DELETE /api/account/sessions/:sessionId": async ({ params }, { account }) => {
      const { count } = await sql`
        delete from accounts.sign_in_session
         where session_id = ${params.sessionId} and account_id = ${account.accountId}`;
      if (count === 0) throw new ProblemError("not_found");
      return { status: "done" as const };
    },
    "POST /api/account/sessions/end-others": async (_input, { account }) => {
      await endSessions(sql, account.accountId, { except: account.sessionId });
      return { status: "done" as const };
    },
    "POST /api/account/sign-out": async (_input, { account, reply }) => {
      await sql`
        delete from accounts.sign_in_session where session_id = ${account.sessionId}`;
      clearOwnerCookie(context, reply);
      return { status: "done" as const };
    },
    "POST /api/account/tickets": async ({ body: { path } }, { account }) => {
      const [ticket, expiresMs] = [randomToken(), clock() + ticketMs];
      await sql`
        insert into accounts.download_ticket (ticket_hash, session_id, path, expires_at)
        values (${tokenHash(ticket)}, ${account.sessionId}, ${path}, ${new Date(expiresMs)})`;
      return { ticket, expiresAt: instantFromMs(expiresMs) };
    },
  };
}

type Row = {
  session_id: string;
  browser: string | null;
  system: string | null;
  signed_in_at: Date;
  last_used_at: Date;
};

/** Where an account is signed in. */
export async function listSessions(
  sql: Queryable,
  { accountId, sessionId }: { accountId: string; sessionId: string },
) {
  const rows = await sql<Row[]>`
    select session_id, browser, system, signed_in_at, last_used_at from accounts.sign_in_session
     where account_id = ${accountId} order by last_used_at desc, session_id`;
  return rows.map((row) => ({
    sessionId: row.session_id,
    current: row.session_id === sessionId,
    browser: row.browser,
    system: row.system,
    signedInAt: instantFromMs(row.signed_in_at.getTime()),
    lastUsedAt: instantFromMs(row.last_used_at.getTime()),
  }));
}
