import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";
import { entryCalls } from "@pro-talent/schemas/accounts/calls";
import { factorCalls } from "@pro-talent/schemas/accounts/factor-calls";
import type { Role } from "@pro-talent/schemas/primitives/access";

import { insertAccount } from "../../accounts.ts";
import { openAccountKeys } from "../../keys.ts";
import { migrateAccounts } from "../../migrate.ts";
import { openPasswords } from "../../passwords.ts";
import { signInHandlers } from "../../sign-in.ts";
import { loadWeakPasswords } from "../../weak-passwords.ts";
import { factorContext } from "../factor-context.ts";
import { factorSignInHandlers } from "../factor-sign-in.ts";
import { setUpHandlers } from "../set-up.ts";
import { stepUpHandlers } from "../step-up.ts";
import { TestHolder } from "./test-holder.ts";

export const origin = "https://pro-talent.example";
export const password = "correct horse battery staple";

export type FactorServer = Awaited<ReturnType<typeof openFactorServer>>;

/** The accounts service's sign-in and second factors on a database of its own, with a clock that tests move. */
export async function openFactorServer() {
  const database = await createTestPostgres();
  await migrateAccounts(database.ownerUrl);
  const sql = openPool(asRole(database.ownerUrl, "accounts_app"), { applicationName: "test" });
  const time = { nowMs: Date.UTC(2026, 10, 22, 12) };
  const clock = () => time.nowMs;
  const keys = openAccountKeys(Buffer.alloc(32, 7));
  const passwords = openPasswords(keys.pepper);
  const weakPasswords = await loadWeakPasswords();
  const registration = "invitation" as const;
  const publicOrigin = origin;
  const parts = { sql, clock, keys, passwords, weakPasswords, registration, publicOrigin };
  const context = factorContext(parts);
  const log = createLogger({ service: "test", level: "silent" });
  const sessions = readSignInSessions(sql, clock);
  const server = buildServer({ log, publicOrigin, sessions, clock });
  const signIn = Object.fromEntries(
    Object.entries(entryCalls).filter(([name]) => name.startsWith("POST /api/account/sign-in")),
  );
  addCalls(server, signIn, { ...signInHandlers(context), ...factorSignInHandlers(context) });
  addCalls(server, factorCalls, { ...setUpHandlers(context), ...stepUpHandlers(context) });
  await server.ready();
  const passwordHash = await passwords.hash(password);
  return {
    server,
    sql,
    time,
    keys,
    database,
    close: async () => {
      await server.close();
      await sql.end();
      await database.drop();
    },
    /** Opens an account with these roles beside that of a holder. */
    account: async (...roles: Role[]) => {
      const accountId = randomUUID();
      const email = `${accountId}@example.com`;
      const profile = { fullName: "Noa Levi", language: "en", timeZone: "Asia/Jerusalem" } as const;
      const { nowMs } = time;
      await insertAccount(sql, keys, { accountId, email, profile, passwordHash, nowMs });
      if (roles.length > 0) {
        await sql`
          update accounts.account set roles = ${["holder", ...roles]}::text[]
           where account_id = ${accountId}`;
      }
      return new TestHolder(server, accountId, email);
    },
    /** What an account was notified of, in order. */
    mailsTo: async (accountId: string): Promise<unknown[]> => {
      const rows = await sql<{ mail_id: string; sealed: Buffer }[]>`
        select mail_id, sealed from accounts.requested_mail
         where account_id = ${accountId} and kind = 'factor' order by mail_id`;
      return rows.map(({ mail_id: id, sealed }) => {
        const mail: unknown = JSON.parse(keys.unseal(sealed, id).toString());
        return mail;
      });
    },
  };
}
