import { randomUUID } from "node:crypto";

import { unsealJson } from "@pro-talent/platform/crypto/sealer";
import type { Role } from "@pro-talent/schemas/primitives/access";

import { insertAccount } from "../../accounts.ts";
import { RequestedMail } from "../../requested-mails.ts";
import {
  type AccountsUnderTest,
  goodPassword,
  openAccountsUnderTest,
} from "../../testing/accounts-under-test.ts";
import { TestHolder } from "./test-holder.ts";

export type FactorsUnderTest = AccountsUnderTest & {
  nowMs: () => number;
  /** Opens an account with these roles beside that of a holder. */
  account: (...roles: readonly Role[]) => Promise<TestHolder>;
  /** What was to be mailed to an account about its factors, in order. */
  factorMails: (accountId: string) => Promise<RequestedMail[]>;
};

/** The accounts service on a database of its own, with accounts that have a password and these roles. */
export async function openFactorsUnderTest(): Promise<FactorsUnderTest> {
  const accounts = await openAccountsUnderTest();
  const { app, sql, context } = accounts;
  const { clock, keys, passwords } = context;
  const passwordHash = await passwords.hash(goodPassword);
  return {
    ...accounts,
    nowMs: clock,
    account: async (...roles) => {
      const accountId = randomUUID();
      const email = `${accountId}@example.com`;
      const profile = { fullName: "Noa Levi", language: "en", timeZone: "Asia/Jerusalem" } as const;
      const account = { accountId, email, profile, passwordHash, nowMs: clock() };
      await sql.begin((tx) => insertAccount(tx, keys, account));
      const all = ["holder", ...roles];
      await sql`update accounts.account set roles = ${all}::text[] where account_id = ${accountId}`;
      return new TestHolder(app, accountId, email);
    },
    factorMails: async (accountId) => {
      const rows = await sql<{ mail_id: string; sealed: Buffer }[]>`
        select mail_id, sealed from accounts.requested_mail
         where account_id = ${accountId} and kind = 'factor' order by mail_id`;
      const sealer = await keys.sealerOf(sql, accountId);
      return rows.map(({ mail_id: id, sealed }) => unsealJson(sealer, RequestedMail, sealed, id));
    },
  };
}
