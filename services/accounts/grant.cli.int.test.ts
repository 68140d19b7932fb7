import { openPool } from "@pro-talent/platform/postgres/pool";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type FactorsUnderTest,
  openFactorsUnderTest,
} from "./factors/testing/factors-under-test.ts";
import type { TestHolder } from "./factors/testing/test-holder.ts";
import { goodPassword as password } from "./testing/accounts-under-test.ts";

let accounts: FactorsUnderTest;
let noa: TestHolder;
beforeAll(async () => {
  accounts = await openFactorsUnderTest();
  noa = await accounts.account();
});
afterAll(() => accounts.drop());

const program = new URL("grant.cli.ts", import.meta.url);
const environment = () => ({ DATABASE_OWNER_URL: accounts.ownerUrl, ...accounts.keySource });

async function grant(...args: readonly string[]) {
  const { code, output } = await runHere(program, args, environment());
  return [code, output.trim()];
}

/** As the database's owner: the service reads no changes of roles. */
async function changes() {
  const sql = openPool(accounts.ownerUrl, { max: 1, applicationName: "test" });
  const rows = await sql`
    select role, granted from accounts.role_change
     where account_id = ${noa.accountId} and operator <> '' order by change_id`;
  await sql.end();
  return rows;
}

describe("an operator", () => {
  it("25: grants a role and revokes it; each change ends all sign-ins and is recorded", async () => {
    await noa.givePassword(password);
    const elsewhere = noa.elsewhere();
    await elsewhere.givePassword(password);
    expect(await grant(noa.email.toUpperCase(), "officer")).toEqual([0, "It is officer now."]);
    for (const browser of [noa, elsewhere]) {
      expect(await browser.call("GET", "/factors")).toMatchObject({ status: 401 });
    }
    await noa.givePassword(password);
    expect((await noa.call("GET", "/factors")).body).toMatchObject({ required: true });
    expect(await grant(noa.email, "officer")).toEqual([1, "It was officer before."]);
    expect(await grant(noa.email, "analyst")).toEqual([0, "It is analyst now."]);
    expect(await grant("--list")).toEqual([0, `${noa.email}: officer, analyst`]);
    await noa.givePassword(password);
    expect(await grant("--revoke", noa.email, "officer")).toEqual([
      0,
      "It is not officer any more.",
    ]);
    expect(await noa.call("GET", "/factors")).toMatchObject({ status: 401 });
    expect(await grant("--revoke", noa.email, "officer")).toEqual([1, "It was not officer."]);
    expect(await grant("--revoke", noa.email, "analyst")).toEqual([
      0,
      "It is not analyst any more.",
    ]);
    expect(await grant("--list")).toEqual([0, "No account has a role of staff."]);
    expect(await changes()).toEqual([
      { role: "officer", granted: true },
      { role: "analyst", granted: true },
      { role: "officer", granted: false },
      { role: "analyst", granted: false },
    ]);
  });

  it("is refused what is no account, no role of staff, or no command", async () => {
    const unknown = ["unknown@example.com", "officer"];
    const refused = { code: 1, output: "No account has this address.\n" };
    expect(await runProgram(program, unknown, environment())).toMatchObject(refused);
    const wrong = [[], [noa.email], [noa.email, "holder"], [noa.email, "officer", "analyst"]];
    for (const args of [...wrong, ["--list", noa.email, "officer"]]) {
      expect(await grant(...args)).toEqual([1, expect.stringMatching(/^Use: /)]);
    }
  });
});
