import { randomUUID } from "node:crypto";

import type { Role } from "@pro-talent/schemas/primitives/access";

import { insertAccount } from "../../accounts.ts";
import { unsealJson } from "../../keys.ts";
import { RequestedMail } from "../../requested-mails.ts";
import { goodPassword, openAccountsUnderTest } from "../../testing/accounts-under-test.ts";
import { TestHolder } from "./test-holder.ts";

export type FactorsUnderTest = Awaited<ReturnType<typeof openFactorsUnderTest>>;

/** The accounts service on a database of its own, with accounts that have a password and these roles. */
export async function openFactorsUnderTest() {
  const accounts = await openAccountsUnderTest();
  const { app, sql, context } = accounts;
  const { clock, keys, passwords } = context;
  const passwordHash = await passwords.hash(goodPassword);
  return {
    ...accounts,
    nowMs: clock,
    /** Opens an account with these roles beside that of a holder. */
    account: async (...roles: readonly Role[]): Promise<TestHolder> => {
      const accountId = randomUUID();
      const email = `${accountId}@example.com`;
      const profile = { fullName: "Noa Levi", language: "en", timeZone: "Asia/Jerusalem" } as const;
      await insertAccount(sql, keys, { accountId, email, profile, passwordHash, nowMs: clock() });
      const all = ["holder", ...roles];
      await sql`update accounts.account set roles = ${all}::text[] where account_id = ${accountId}`;
      return new TestHolder(app, accountId, email);
    },
    /** What was to be mailed to an account about its factors, in order. */
    factorMails: async (accountId: string): Promise<RequestedMail[]> => {
      const rows = await sql<{ mail_id: string; sealed: Buffer }[]>`
        select mail_id, sealed from accounts.requested_mail
         where account_id = ${accountId} and kind = 'factor' order by mail_id`;
      return rows.map(({ mail_id: id, sealed }) => unsealJson(keys, RequestedMail, sealed, id));
    },
  };
}
