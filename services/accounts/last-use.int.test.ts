import { afterAll, beforeAll, expect, it } from "vitest";

import {
  type AccountsUnderTest,
  internalToken,
  openAccountsUnderTest,
} from "./testing/accounts-under-test.ts";
import { forgetEnded } from "./worker-app.ts";

const dayMs = 24 * 60 * 60_000;

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());

async function join(email: string): Promise<{ token: string; accountId: string }> {
  const token = await accounts.join(email);
  const [row] = await accounts.sql<{ id: string }[]>`
    select account_id as id from accounts.account order by created_at desc, account_id desc limit 1`;
  return { token, accountId: row?.id ?? "" };
}
const lastUse = async (accountId: string): Promise<string> => {
  const path = `GET /internal/accounts/${accountId}/last-use`;
  return (await accounts.call(path, { token: internalToken })).json<{ activeOn: string }>()
    .activeOn;
};
const today = () => new Date(accounts.context.clock()).toISOString().slice(0, 10);

it("an account is used by signing in and by its session, and that stays when the session has ended", async () => {
  const { token, accountId } = await join("used@example.com");
  const opened = today();
  expect(await lastUse(accountId)).toBe(opened);
  accounts.advance(3 * dayMs);
  await accounts.call("GET /api/account/sessions", { token });
  const read = today();
  expect(await lastUse(accountId)).toBe(read);
  accounts.advance(100 * dayMs);
  await forgetEnded(accounts.sql, accounts.context.clock());
  expect(await accounts.sql`select from accounts.sign_in_session`).toEqual([]);
  expect(await lastUse(accountId)).toBe(read);
});

it("accounts that were last used before a day are listed, closed ones and others are not", async () => {
  const { accountId } = await join("quiet@example.com");
  const unused = async (before: string) => {
    const call = "POST /internal/accounts/unused";
    const answer = await accounts.call(call, {
      token: internalToken,
      body: { before, after: null },
    });
    const { accounts: found } = answer.json<{ accounts: { accountId: string }[] }>();
    return found.some((one) => one.accountId === accountId);
  };
  const day = today();
  const next = new Date(accounts.context.clock() + dayMs).toISOString().slice(0, 10);
  expect([await unused(day), await unused(next)]).toEqual([false, true]);
  await accounts.sql`update accounts.account set status = 'closed' where account_id = ${accountId}`;
  expect(await unused(next)).toBe(false);
});

it("only services of the platform may ask", async () => {
  const { token, accountId } = await join("own@example.com");
  const path = `GET /internal/accounts/${accountId}/last-use`;
  expect((await accounts.call(path, { token })).statusCode).toBe(401);
});
