import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  goodPassword as password,
  publicOrigin as origin,
} from "../testing/accounts-under-test.ts";
import { type FactorsUnderTest, openFactorsUnderTest } from "./testing/factors-under-test.ts";
import { SoftwareAuthenticator } from "./testing/software-authenticator.ts";
import { passkeyPath, shownCode, type TestHolder } from "./testing/test-holder.ts";

const minute = 60_000;

let accounts: FactorsUnderTest;
let noa: TestHolder;
let phone: SoftwareAuthenticator;
beforeAll(async () => {
  accounts = await openFactorsUnderTest();
});
afterAll(() => accounts.drop());
beforeEach(async () => {
  accounts.advance(60 * minute);
  phone = new SoftwareAuthenticator(origin);
  noa = await accounts.account();
  await noa.givePassword(password);
});

const wait = (minutes: number) => accounts.advance(minutes * minute);
const refusal = (status: number, code: string) => ({
  status,
  body: expect.objectContaining({ code }),
});
const stepUpRequired = refusal(403, "step_up_required");
const factorRequired = refusal(403, "factor_required");
const unauthorized = refusal(401, "unauthorized");
const isSetUp = { status: 200, body: expect.objectContaining({ secret: expect.any(String) }) };

describe("28: what is dangerous", () => {
  it("needs an authentication of the last ten minutes", async () => {
    expect(await noa.call("POST", "/factors/totp")).toEqual(isSetUp);
    wait(10);
    expect(await noa.call("POST", "/factors/totp")).toEqual(stepUpRequired);
    expect((await noa.renewing("POST", "/step-up/password", { password })).status).toBe(200);
    expect(await noa.call("POST", "/factors/totp")).toEqual(isSetUp);
  });

  it("22: goes on under a new token, and the former one ends", async () => {
    const { token } = noa;
    const { status } = await noa.renewing("POST", "/step-up/password", { password });
    expect([status, noa.token === token]).toEqual([200, false]);
    const former = noa.elsewhere();
    former.token = token;
    expect(await former.call("GET", "/factors")).toEqual(unauthorized);
    expect((await noa.call("GET", "/factors")).status).toBe(200);
  });

  it("is not confirmed by a wrong password, which delays further ones", async () => {
    const wrong = { password: "another battery" };
    for (let n = 0; n < 5; n += 1) {
      expect(await noa.call("POST", "/step-up/password", wrong)).toEqual(
        refusal(422, "sign_in_refused"),
      );
    }
    expect(await noa.call("POST", "/step-up/password", { password })).toEqual(
      refusal(429, "sign_in_delayed"),
    );
  });

  it("needs the second factor where there is one: the password alone does not confirm it", async () => {
    const { secret } = await noa.setUpTotp(accounts.nowMs());
    await noa.addPasskey(phone);
    wait(11);
    expect(await noa.call("POST", "/step-up/password", { password })).toEqual(factorRequired);
    expect(await noa.call("POST", "/step-up/code", { code: "000000" })).toEqual(
      refusal(422, "code_wrong"),
    );
    expect(await noa.call("DELETE", "/factors/totp")).toEqual(stepUpRequired);
    const code = shownCode(secret, accounts.nowMs());
    expect((await noa.renewing("POST", "/step-up/code", { code })).status).toBe(200);
    expect(await noa.call("POST", "/step-up/code", { code })).toEqual(refusal(422, "code_wrong"));
    wait(11);
    const response = await noa.askPasskey("/step-up/passkey/options", phone);
    expect((await noa.renewing("POST", "/step-up/passkey", response)).status).toBe(200);
    expect((await noa.call("DELETE", "/factors/totp")).status).toBe(200);
  });
});

describe("17: a change of factors", () => {
  it("is mailed to the account's address, in both directions", async () => {
    await noa.setUpTotp(accounts.nowMs());
    const passkey = passkeyPath(await noa.addPasskey(phone));
    await noa.call("POST", "/factors/recovery-codes");
    await noa.call("DELETE", "/factors/totp");
    await noa.call("DELETE", passkey);
    const mails = await accounts.factorMails(noa.accountId);
    const { email } = noa;
    expect(mails).toMatchObject([
      { change: "authenticator-added", email },
      { change: "passkey-added", email },
      { change: "recovery-codes-replaced", email },
      { change: "authenticator-removed", email },
      { change: "passkey-removed", email },
    ]);
  });

  it("needs a recent authentication, whichever it is", async () => {
    await noa.setUpTotp(accounts.nowMs());
    const passkey = passkeyPath(await noa.addPasskey(phone));
    wait(10);
    const changes = [
      ["POST", "/factors/totp"],
      ["DELETE", "/factors/totp"],
      ["POST", "/factors/recovery-codes"],
      ["POST", "/factors/passkeys/options"],
      ["DELETE", passkey],
    ] as const;
    for (const [method, path] of changes) {
      expect(await noa.call(method, path)).toEqual(stepUpRequired);
    }
    const mails = await accounts.factorMails(noa.accountId);
    expect(mails).toHaveLength(2);
  });

  it("that is the first ends all other sessions, which began without one", async () => {
    const elsewhere = noa.elsewhere();
    await elsewhere.givePassword(password);
    await noa.setUpTotp(accounts.nowMs());
    expect(await elsewhere.call("GET", "/factors")).toEqual(unauthorized);
    expect((await noa.call("GET", "/factors")).status).toBe(200);
  });

  it("is refused to a session that began without one, although it is still open", async () => {
    await noa.setUpTotp(accounts.nowMs());
    const { sql } = accounts;
    await sql`update accounts.sign_in_session set factor = false where account_id = ${noa.accountId}`;
    expect(await noa.call("POST", "/factors/recovery-codes")).toEqual(factorRequired);
    expect(await noa.addPasskey(phone)).toEqual(factorRequired);
    expect(await noa.call("DELETE", "/factors/totp")).toEqual(factorRequired);
  });
});

describe("12: an account of staff", () => {
  it.each(["officer", "analyst", "administrator"] as const)(
    "%s without a factor can set one up, and nothing else",
    async (role) => {
      const dana = await accounts.account(role);
      await dana.givePassword(password);
      expect((await dana.call("GET", "/factors")).body).toMatchObject({ required: true });
      expect(await dana.call("POST", "/step-up/code", { code: "1" })).toEqual(factorRequired);
      expect(await dana.call("POST", "/factors/recovery-codes")).toEqual(factorRequired);
      const { token } = dana;
      await dana.setUpTotp(accounts.nowMs());
      expect(dana.token).not.toBe(token);
      expect((await dana.call("POST", "/factors/recovery-codes")).status).toBe(200);
      const again = await dana.elsewhere().beginSignIn(password);
      expect(again.methods).toEqual(["totp", "recovery"]);
    },
  );

  it("can set a passkey up instead, and signs in with it", async () => {
    const dana = await accounts.account("officer");
    await dana.givePassword(password);
    expect((await dana.addPasskey(phone)).status).toBe(200);
    const browser = dana.elsewhere();
    expect((await browser.signInWithPasskey(phone)).status).toBe(200);
    expect((await browser.call("POST", "/factors/recovery-codes")).status).toBe(200);
  });

  it("cannot remove its last factor, and keeps it when two are removed at the same time", async () => {
    const dana = await accounts.account("administrator");
    await dana.givePassword(password);
    await dana.setUpTotp(accounts.nowMs());
    expect(await dana.call("DELETE", "/factors/totp")).toEqual(refusal(409, "last_factor"));
    const passkey = passkeyPath(await dana.addPasskey(phone));
    const answers = await Promise.all([
      dana.call("DELETE", "/factors/totp"),
      dana.call("DELETE", passkey),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers).toContainEqual(refusal(409, "last_factor"));
  });
});
