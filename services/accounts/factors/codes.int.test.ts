import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { goodPassword as password } from "../testing/accounts-under-test.ts";
import { type FactorsUnderTest, openFactorsUnderTest } from "./testing/factors-under-test.ts";
import { shownCode, type TestHolder } from "./testing/test-holder.ts";

const step = 30_000;

let accounts: FactorsUnderTest;
let noa: TestHolder;
beforeAll(async () => {
  accounts = await openFactorsUnderTest();
});
afterAll(() => accounts.drop());
beforeEach(async () => {
  accounts.advance(3_600_000);
  noa = await accounts.account();
  await noa.givePassword(password);
});

/** The authenticator of the account, set up, with a code that was not used yet. */
async function setUp() {
  const made = await noa.setUpTotp(accounts.nowMs());
  accounts.advance(step);
  return made;
}

const now = () => accounts.nowMs();
const codeOf = (secret: string, atMs = now()) => shownCode(secret, atMs);
const give = (browser: TestHolder, challenge: string, code: string, method = "totp") =>
  browser.renewing("POST", "/sign-in/code", { challenge, method, code });
const refusal = (status: number, code: string) => ({
  status,
  body: expect.objectContaining({ code }),
});
const signedIn = { status: 200, body: expect.objectContaining({ status: "signed-in" }) };

describe("an authenticator", () => {
  it("is set up once a code of it was given, which answers with recovery codes", async () => {
    const begun = await noa.call("POST", "/factors/totp");
    expect(begun.body).toMatchObject({
      uri: expect.stringContaining(encodeURIComponent(noa.email)),
    });
    expect((await noa.call("GET", "/factors")).body).toMatchObject({ totp: false });
    expect(await noa.call("POST", "/factors/totp/confirm", { code: "000000" })).toEqual(
      refusal(422, "code_wrong"),
    );
    const { codes } = await setUp();
    expect(codes).toHaveLength(10);
    expect((await noa.call("GET", "/factors")).body).toEqual({
      totp: true,
      recoveryCodesLeft: 10,
      passkeys: [],
      required: false,
    });
    expect(await noa.call("POST", "/factors/totp")).toEqual(refusal(409, "factor_exists"));
  });

  it("is not set up by a code that comes half an hour later", async () => {
    await noa.call("POST", "/factors/totp");
    accounts.advance(30 * 60_000);
    await noa.renewing("POST", "/step-up/password", { password });
    const late = await noa.call("POST", "/factors/totp/confirm", { code: "000000" });
    expect(late).toEqual(refusal(410, "challenge_ended"));
  });

  it("12: is asked for once the password was right, and nothing is open before", async () => {
    const { secret } = await setUp();
    const browser = noa.elsewhere();
    const { challenge, methods } = await browser.beginSignIn(password);
    expect(methods).toEqual(["totp", "recovery"]);
    expect(browser.token).toBe("");
    expect(await give(browser, challenge, "000000")).toEqual(refusal(422, "code_wrong"));
    expect(await give(browser, challenge, codeOf(secret))).toEqual(signedIn);
    expect((await browser.call("GET", "/factors")).status).toBe(200);
    expect(await give(browser, challenge, codeOf(secret, now() + step))).toEqual(
      refusal(410, "challenge_ended"),
    );
  });

  it("13: has codes that count once, in whichever sign-in they are given", async () => {
    const { secret } = await setUp();
    const code = codeOf(secret);
    const first = noa.elsewhere();
    expect(await give(first, (await first.beginSignIn(password)).challenge, code)).toEqual(
      signedIn,
    );
    const second = noa.elsewhere();
    const { challenge } = await second.beginSignIn(password);
    expect(await give(second, challenge, code)).toEqual(refusal(422, "code_wrong"));
    // The one that confirmed the set-up, too.
    expect(await give(second, challenge, codeOf(secret, now() - step))).toEqual(
      refusal(422, "code_wrong"),
    );
  });

  it("13: has codes that count once, although several sign-ins give one at the same time", async () => {
    const { secret } = await setUp();
    const code = codeOf(secret);
    const browsers = Array.from({ length: 4 }, () => noa.elsewhere());
    const begun = await Promise.all(browsers.map((browser) => browser.beginSignIn(password)));
    const answers = await Promise.all(
      browsers.map((browser, n) => give(browser, begun[n]?.challenge ?? "", code)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("14: may have a clock that is half a minute off; the server's clock counts", async () => {
    const { secret } = await setUp();
    accounts.advance(10 * step);
    for (const [off, expected] of [
      [-2, 422],
      [2, 422],
      [-1, 200],
      [1, 200],
    ] as const) {
      const browser = noa.elsewhere();
      const { challenge } = await browser.beginSignIn(password);
      const answer = await give(browser, challenge, codeOf(secret, now() + off * step));
      expect([off, answer.status]).toEqual([off, expected]);
    }
  });

  it("has a secret that is encrypted at rest", async () => {
    const { secret } = await setUp();
    const [row] = await accounts.sql`
      select sealed_secret from accounts.totp where account_id = ${noa.accountId}`;
    const stored = Buffer.from(String(row?.["sealed_secret"]));
    expect(stored.includes(secret)).toBe(false);
    expect(stored.length).toBeGreaterThan(20);
  });
});

describe("wrong codes", () => {
  it("end a sign-in after five, and delay the account's further ones", async () => {
    const { secret } = await setUp();
    const browser = noa.elsewhere();
    const { challenge } = await browser.beginSignIn(password);
    for (let n = 0; n < 5; n += 1) {
      expect(await give(browser, challenge, "000000")).toEqual(refusal(422, "code_wrong"));
    }
    expect(await give(browser, challenge, codeOf(secret))).toEqual(refusal(410, "challenge_ended"));
    const other = noa.elsewhere();
    const next = await other.beginSignIn(password);
    expect(await give(other, next.challenge, codeOf(secret))).toEqual(
      refusal(429, "sign_in_delayed"),
    );
    // The owner waits, and is in.
    accounts.advance(60_000);
    expect(await give(other, next.challenge, codeOf(secret))).toEqual(signedIn);
  });

  it("are counted by account: another sign-in does not begin anew", async () => {
    await setUp();
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const browser = noa.elsewhere();
      const { challenge } = await browser.beginSignIn(password);
      statuses.push((await give(browser, challenge, "000000")).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });
});

describe("15: a recovery code", () => {
  it("signs in once, and the holder is notified", async () => {
    const { codes } = await setUp();
    const [code = ""] = codes;
    const browser = noa.elsewhere();
    const begun = await browser.beginSignIn(password);
    const typed = code.toLowerCase().replaceAll("-", " ");
    expect(await give(browser, begun.challenge, typed, "recovery")).toEqual(signedIn);
    expect((await browser.call("GET", "/factors")).body).toMatchObject({ recoveryCodesLeft: 9 });
    const again = await noa.elsewhere().beginSignIn(password);
    expect(await give(noa.elsewhere(), again.challenge, code, "recovery")).toEqual(
      refusal(422, "code_wrong"),
    );
    expect(await accounts.factorMails(noa.accountId)).toEqual([
      expect.objectContaining({ change: "authenticator-added" }),
      expect.objectContaining({ change: "recovery-code-used", email: noa.email, language: "en" }),
    ]);
  });

  it("signs in once, although several give it at the same time", async () => {
    const { codes } = await setUp();
    const browsers = Array.from({ length: 4 }, () => noa.elsewhere());
    const begun = await Promise.all(browsers.map((browser) => browser.beginSignIn(password)));
    const answers = await Promise.all(
      browsers.map((browser, n) =>
        give(browser, begun[n]?.challenge ?? "", codes[0] ?? "", "recovery"),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("is stored as a hash, and stops working when others replace it", async () => {
    const { codes } = await setUp();
    const rows = await accounts.sql`
      select code_hash from accounts.recovery_code where account_id = ${noa.accountId}`;
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code);
    expect((await noa.call("POST", "/factors/recovery-codes")).status).toBe(200);
    const browser = noa.elsewhere();
    const { challenge } = await browser.beginSignIn(password);
    expect(await give(browser, challenge, codes[0] ?? "", "recovery")).toEqual(
      refusal(422, "code_wrong"),
    );
  });

  it("is no second factor of its own", async () => {
    expect(await noa.call("POST", "/factors/recovery-codes")).toEqual(
      refusal(409, "factor_missing"),
    );
  });
});
