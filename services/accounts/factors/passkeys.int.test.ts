import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  goodPassword as password,
  publicOrigin as origin,
} from "../testing/accounts-under-test.ts";
import { type FactorsUnderTest, openFactorsUnderTest } from "./testing/factors-under-test.ts";
import {
  type Deviation,
  foreignKey,
  SoftwareAuthenticator,
} from "./testing/software-authenticator.ts";
import { passkeyPath, type TestHolder } from "./testing/test-holder.ts";

let accounts: FactorsUnderTest;
let noa: TestHolder;
let phone: SoftwareAuthenticator;
beforeAll(async () => {
  accounts = await openFactorsUnderTest();
});
afterAll(() => accounts.drop());
beforeEach(async () => {
  accounts.advance(3_600_000);
  phone = new SoftwareAuthenticator(origin);
  noa = await accounts.account();
  await noa.givePassword(password);
});

const refusal = (status: number, code: string) => ({
  status,
  body: expect.objectContaining({ code }),
});
const signedIn = { status: 200, body: expect.objectContaining({ status: "signed-in" }) };
/** Whether the sign-in had a second factor, by the session that it opened. */
const factorsOf = async (accountId: string) => {
  const rows = await accounts.sql<{ factor: boolean }[]>`
    select factor from accounts.sign_in_session where account_id = ${accountId} order by signed_in_at`;
  return rows.map(({ factor }) => factor);
};

describe("16: a passkey", () => {
  it("signs in alone, as both factors", async () => {
    expect(await noa.addPasskey(phone)).toMatchObject({ status: 200 });
    const browser = noa.elsewhere();
    expect(await browser.signInWithPasskey(phone)).toEqual(signedIn);
    expect(await factorsOf(noa.accountId)).toEqual([true, true]);
    expect((await browser.call("GET", "/factors")).body).toMatchObject({
      passkeys: [{ name: "Phone", synced: false, lastUsedAt: expect.any(String) }],
    });
  });

  it("is the second factor of a sign-in whose password was right", async () => {
    await noa.addPasskey(phone);
    const browser = noa.elsewhere();
    const { challenge, methods } = await browser.beginSignIn(password);
    expect(methods).toEqual(["passkey"]);
    const asked = { sent: { challenge } };
    const response = await browser.askPasskey("/sign-in/passkey/options", phone, asked);
    expect(await browser.renewing("POST", "/sign-in/passkey", response)).toEqual(signedIn);
  });

  it("of another account is refused, after this one's password and in this one's session", async () => {
    const mallory = await accounts.account();
    await mallory.givePassword(password);
    const foreign = new SoftwareAuthenticator(origin);
    await mallory.addPasskey(foreign);
    await noa.addPasskey(phone);
    const browser = noa.elsewhere();
    const { challenge } = await browser.beginSignIn(password);
    const asked = { sent: { challenge } };
    const answer = await browser.askPasskey("/sign-in/passkey/options", foreign, asked);
    expect(await browser.call("POST", "/sign-in/passkey", answer)).toEqual(
      refusal(422, "passkey_refused"),
    );
    const stepUp = await noa.askPasskey("/step-up/passkey/options", foreign);
    expect(await noa.call("POST", "/step-up/passkey", stepUp)).toEqual(
      refusal(422, "passkey_refused"),
    );
    const unknown = await browser.askPasskey("/sign-in/passkey/options", foreign);
    const other = new SoftwareAuthenticator(origin).credentialId.toString("base64url");
    const response = { ...unknown.response, id: other, rawId: other };
    expect(await browser.call("POST", "/sign-in/passkey", { ...unknown, response })).toEqual(
      refusal(422, "passkey_refused"),
    );
  });

  const deviations: [string, Deviation][] = [
    ["without its user verified", { userVerified: false }],
    ["from another origin", { origin: "https://evil.example" }],
    ["for another host", { rpId: "evil.example" }],
    ["with a counter that went back", { counter: 1 }],
    ["signed by another key", { key: foreignKey() }],
  ];
  it.each(deviations)("is refused %s", async (_how, deviation) => {
    await noa.addPasskey(phone);
    const browser = noa.elsewhere();
    expect(await browser.signInWithPasskey(phone, deviation)).toEqual(
      refusal(422, "passkey_refused"),
    );
    expect(browser.token).toBe("");
  });

  it("25: opens no account that is banned", async () => {
    await noa.addPasskey(phone);
    const { sql } = accounts;
    await sql`update accounts.account set status = 'banned' where account_id = ${noa.accountId}`;
    expect(await noa.elsewhere().signInWithPasskey(phone)).toEqual(refusal(422, "passkey_refused"));
  });

  it("answers a challenge once, also when it is replayed at the same time or refused", async () => {
    await noa.addPasskey(phone);
    const browser = noa.elsewhere();
    const response = await browser.askPasskey("/sign-in/passkey/options", phone);
    const answers = await Promise.all(
      [1, 2, 3].map(() => browser.call("POST", "/sign-in/passkey", response)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(2);
    const refused = await browser.askPasskey("/sign-in/passkey/options", phone, { counter: 1 });
    await browser.call("POST", "/sign-in/passkey", refused);
    expect(await browser.call("POST", "/sign-in/passkey", refused)).toEqual(
      refusal(410, "challenge_ended"),
    );
  });

  it("answers within five minutes, and what it was asked for", async () => {
    await noa.addPasskey(phone);
    const signIn = await noa.askPasskey("/sign-in/passkey/options", phone);
    expect(await noa.call("POST", "/step-up/passkey", signIn)).toEqual(
      refusal(410, "challenge_ended"),
    );
    accounts.advance(5 * 60_000);
    expect(await noa.call("POST", "/sign-in/passkey", signIn)).toEqual(
      refusal(410, "challenge_ended"),
    );
  });

  it("has a challenge that is stored as a hash alone", async () => {
    const { ceremony } = await noa.askPasskey("/sign-in/passkey/options", phone);
    const rows = await accounts.sql`select * from accounts.challenge`;
    expect(JSON.stringify(rows)).not.toContain(ceremony);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(ceremony, "base64url").toString("hex"));
  });
});

describe("passkeys of an account", () => {
  it("are at most ten, also when several are added at the same time", async () => {
    await noa.addPasskey(phone);
    const responses = [];
    for (let n = 0; n < 12; n += 1) {
      const another = new SoftwareAuthenticator(origin);
      responses.push(await noa.askPasskey("/factors/passkeys/options", another));
    }
    for (const response of responses.slice(0, 8)) {
      const sent = { ...response, name: "Key" };
      expect((await noa.renewing("POST", "/factors/passkeys", sent)).status).toBe(200);
    }
    const statuses: number[] = [];
    for (const response of responses.slice(8)) {
      const sent = { ...response, name: "Key" };
      statuses.push((await noa.renewing("POST", "/factors/passkeys", sent)).status);
    }
    expect(statuses).toEqual([200, 422, 422, 422]);
  });

  it("belong to one account: the same credential is not added to another", async () => {
    await noa.addPasskey(phone);
    const mallory = await accounts.account();
    await mallory.givePassword(password);
    expect(await mallory.addPasskey(phone)).toEqual(refusal(422, "passkey_refused"));
  });

  it("are renamed and removed by their holder alone", async () => {
    const path = passkeyPath(await noa.addPasskey(phone));
    const mallory = await accounts.account();
    await mallory.givePassword(password);
    expect(await mallory.call("PATCH", path, { name: "Mine" })).toEqual(refusal(404, "not_found"));
    expect(await mallory.call("DELETE", path)).toEqual(refusal(404, "not_found"));
    expect((await noa.call("PATCH", path, { name: "Work phone" })).status).toBe(200);
    expect((await noa.call("GET", "/factors")).body).toMatchObject({
      passkeys: [{ name: "Work phone" }],
    });
    expect((await noa.call("DELETE", path)).status).toBe(200);
    expect((await noa.call("GET", "/factors")).body).toMatchObject({ passkeys: [] });
    expect(await noa.elsewhere().givePassword(password)).toEqual(signedIn);
  });

  it("are added to the account that asked, by its own session", async () => {
    const response = await noa.askPasskey("/factors/passkeys/options", phone);
    const mallory = await accounts.account();
    await mallory.givePassword(password);
    const sent = { ...response, name: "Phone" };
    expect(await mallory.call("POST", "/factors/passkeys", sent)).toEqual(
      refusal(410, "challenge_ended"),
    );
  });
});
