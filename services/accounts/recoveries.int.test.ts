import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { runProgram } from "@pro-talent/platform/testing/run-program";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { readHolder } from "./accounts.ts";
import {
  type FactorsUnderTest,
  openFactorsUnderTest,
} from "./factors/testing/factors-under-test.ts";
import { shownCode, type TestHolder } from "./factors/testing/test-holder.ts";
import { advanceRecoveries, requestRecovery } from "./recoveries.ts";
import { goodPassword as password, outcomeOf } from "./testing/accounts-under-test.ts";

const hour = 60 * 60_000;
let accounts: FactorsUnderTest;
let owner: Sql;
let noa: TestHolder;
let secret: string;

beforeAll(async () => {
  accounts = await openFactorsUnderTest();
  owner = openPool(accounts.ownerUrl, { max: 2, applicationName: "test" });
});
afterAll(async () => {
  await owner.end();
  await accounts.drop();
});
beforeEach(async () => {
  noa = await accounts.account("officer");
  await noa.givePassword(password);
  ({ secret } = await noa.setUpTotp(accounts.nowMs()));
  await accounts.mails();
});

const request = () =>
  requestRecovery(owner, accounts.context.keys, {
    accountId: noa.accountId,
    operator: "the operator",
    delayHours: 72,
    nowMs: accounts.nowMs(),
  });
const advance = () => advanceRecoveries(accounts.sql, accounts.context.keys, accounts.nowMs());
const refuse = (token: string) =>
  accounts.call("POST /api/account/recovery/refuse", { body: { token } });
const recovery = async () => {
  const [row] = await owner`
    select operator, outcome, roles_lost as lost from accounts.recovery
     where account_id = ${noa.accountId} order by requested_at desc`;
  return row;
};
const hasFactor = async (): Promise<boolean> =>
  (await owner`select from accounts.totp where account_id = ${noa.accountId}`).length === 1;

describe("the recovery of an account that lost its factors", () => {
  it("removes them when its time has come, ends all sign-ins and the role, and is recorded", async () => {
    await request();
    expect((await accounts.mails()).map(({ subject }) => subject)).toEqual([
      "The second factor of your account is to be removed",
    ]);
    accounts.advance(47 * hour);
    expect([await advance(), await accounts.mails()]).toEqual([0, []]);
    accounts.advance(2 * hour);
    await advance();
    await advance();
    // Reminded once.
    expect(await accounts.mails()).toHaveLength(1);
    await noa.givePassword(password);
    accounts.advance(23 * hour - 1);
    expect([await advance(), await hasFactor()]).toEqual([0, true]);
    accounts.advance(1);
    expect([await advance(), await advance(), await hasFactor()]).toEqual([1, 0, false]);
    expect((await noa.call("GET", "/factors")).status).toBe(401);
    expect(await recovery()).toEqual({
      operator: "the operator",
      outcome: "completed",
      lost: ["officer"],
    });
    const { keys } = accounts.context;
    expect(await readHolder(accounts.sql, keys, noa.accountId)).toMatchObject({
      roles: ["holder"],
    });
    const changes = await owner`
      select role, granted, operator from accounts.role_change where account_id = ${noa.accountId}`;
    expect(changes).toEqual([{ role: "officer", granted: false, operator: "the operator" }]);
    expect((await accounts.mails()).map(({ subject }) => subject)).toEqual([
      "The second factor of your account was removed",
    ]);
    const body = { email: noa.email, password };
    expect((await accounts.call("POST /api/account/sign-in", { body })).json()).toMatchObject({
      status: "signed-in",
    });
  });

  it("is refused by the link in its mail, also after a new password; nothing is removed", async () => {
    await request();
    const [mail] = await accounts.mails();
    const body = { email: noa.email, language: "en" };
    await accounts.call("POST /api/account/password/forgotten", { body });
    const [reset] = await accounts.mails();
    const fresh = { token: reset?.token, password: "quiet-lantern-57" };
    expect(
      (await accounts.call("POST /api/account/password/reset", { body: fresh })).statusCode,
    ).toBe(200);
    expect(outcomeOf(await refuse(mail?.token ?? ""))).toEqual([200, "done"]);
    expect(outcomeOf(await refuse(mail?.token ?? ""))).toEqual([410, "mail_token_ended"]);
    accounts.advance(100 * hour);
    expect([await advance(), await hasFactor()]).toEqual([0, true]);
    expect(await recovery()).toMatchObject({ outcome: "refused", lost: [] });
  });

  it("ends by itself when the holder signs in with the factor after all", async () => {
    await request();
    accounts.advance(hour);
    const { challenge } = await noa.beginSignIn(password);
    const code = shownCode(secret, accounts.nowMs());
    const given = await noa.call("POST", "/sign-in/code", { challenge, method: "totp", code });
    expect(given.status).toBe(200);
    expect(await recovery()).toMatchObject({ outcome: "factor_used" });
    accounts.advance(100 * hour);
    expect([await advance(), await hasFactor()]).toEqual([0, true]);
  });

  it("is one at a time; its refusal and its end at the same moment leave one of the two", async () => {
    const started = await Promise.all([request(), request(), request()]);
    expect(started.filter((result) => result === "under_way")).toHaveLength(2);
    const [mail] = await accounts.mails();
    accounts.advance(72 * hour);
    const [ended, ...passes] = await Promise.all([refuse(mail?.token ?? ""), advance(), advance()]);
    const completed = passes.reduce((sum, one) => sum + one, 0);
    expect(completed + (ended.statusCode === 200 ? 1 : 0)).toBe(1);
    expect(await hasFactor()).toBe(completed === 0);
  });

  it("cannot be requested, brought forward or completed early by the service's own role", async () => {
    const { sql } = accounts;
    await expect(sql`
      insert into accounts.recovery (recovery_id, account_id, operator, requested_at, due_at)
      values (gen_random_uuid(), ${noa.accountId}, 'x', now(), now() + interval '3 days')`).rejects.toThrow(
      "permission denied",
    );
    await request();
    await expect(
      sql`update accounts.recovery set due_at = requested_at + interval '24 hours'`,
    ).rejects.toThrow("permission denied");
    const soon = owner`
      insert into accounts.recovery (recovery_id, account_id, operator, requested_at, due_at)
      values (gen_random_uuid(), gen_random_uuid(), 'x', now(), now() + interval '1 hour')`;
    await expect(soon).rejects.toThrow("check constraint");
  });

  it("is requested, listed and withdrawn by an operator's command, and not shorter than a day", async () => {
    const command = async (args: readonly string[], env: Record<string, string> = {}) => {
      const { code, output, errors } = await runProgram(
        new URL("accounts.cli.ts", import.meta.url),
        args,
        { DATABASE_OWNER_URL: accounts.ownerUrl, ...accounts.keySource, ...env },
      );
      return { code, text: output + errors };
    };
    expect((await command(["recover", noa.email], { RECOVERY_HOURS: "1" })).text).toContain(
      "RECOVERY_HOURS",
    );
    expect(await command(["recover", "unknown@example.com"])).toMatchObject({
      code: 1,
      text: "No account has this address.\n",
    });
    expect(await command(["recover", noa.email.toUpperCase()])).toMatchObject({ code: 0 });
    expect(await command(["recover", noa.email])).toMatchObject({
      code: 1,
      text: "A recovery is under way.\n",
    });
    expect((await command(["recoveries"])).text).toMatch(
      new RegExp(`${noa.email}: requested .* by .+, due `, "u"),
    );
    expect(await command(["recover", "--withdraw", noa.email])).toMatchObject({ code: 0 });
    expect(await recovery()).toMatchObject({ outcome: "withdrawn" });
    expect((await command([])).code).toBe(1);
  });
});
