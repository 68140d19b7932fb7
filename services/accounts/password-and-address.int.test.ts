import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type AccountsUnderTest,
  goodPassword,
  openAccountsUnderTest,
  outcomeOf,
  tokenOf,
} from "./testing/accounts-under-test.ts";

const hour = 60 * 60 * 1000;
const newPassword = "another-harbour-94";

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());

const signIn = (email: string, password: string) =>
  accounts.call("POST /api/account/sign-in", { body: { email, password } });
const forgotten = (email: string, headers: Record<string, string> = {}) =>
  accounts.call("POST /api/account/password/forgotten", {
    body: { email, language: "en" },
    headers,
  });
const reset = (token: string, password = newPassword) =>
  accounts.call("POST /api/account/password/reset", { body: { token, password } });
const isSignedIn = async (token: string) =>
  (await accounts.call("GET /api/account", { token })).statusCode === 200;
const resetToken = async (email: string): Promise<string> => {
  await forgotten(email);
  return (await accounts.mails()).find(({ token }) => token !== "")?.token ?? "";
};

describe("a forgotten password", () => {
  it("1: is answered alike for all addresses, and mailed to those of accounts alone", async () => {
    await accounts.join("mine@example.com");
    const answers = [await forgotten("mine@example.com"), await forgotten("stranger@example.com")];
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [202, '{"status":"mailed"}'],
      [202, '{"status":"mailed"}'],
    ]);
    const mails = await accounts.mails();
    expect(mails.map(({ to, subject }) => [to.address, subject])).toEqual([
      ["mine@example.com", "Set a new password"],
    ]);
  });

  it("leads back to the page that was asked for, and to none outside of the site", async () => {
    const email = "way-back@example.com";
    await accounts.join(email);
    const asked = (next: string) =>
      accounts.call("POST /api/account/password/forgotten", {
        body: { email, language: "en", next },
      });
    for (const next of ["https://evil.example", "//evil.example", "/\\evil.example", "dashboard"])
      expect((await asked(next)).statusCode).toBe(422);
    const next = "/checkout?plan=premium&cycle=annual";
    expect((await asked(next)).statusCode).toBe(202);
    const [mail] = await accounts.mails();
    expect(mail?.text).toContain(`/login/reset?next=${encodeURIComponent(next)}#token=`);
  });

  it("11: is reset once, ends all sessions, and opens none", async () => {
    const session = await accounts.join("reset@example.com");
    const token = await resetToken("reset@example.com");
    const answers = await Promise.all([1, 2, 3].map(() => reset(token)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const done = answers.find(({ statusCode }) => statusCode === 200);
    expect([done?.json(), done?.headers["set-cookie"]]).toEqual([{ status: "done" }, undefined]);
    expect(outcomeOf(await reset(token))).toEqual([410, "mail_token_ended"]);
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn("reset@example.com", goodPassword)).statusCode).toBe(422);
    expect((await signIn("reset@example.com", newPassword)).statusCode).toBe(200);
    expect((await accounts.mails()).map(({ subject }) => subject)).toEqual([
      "Your password was changed",
    ]);
  });

  it("11: has a link for an hour, and a use ends the links before it", async () => {
    await accounts.join("expiry@example.com");
    const [first, second] = [
      await resetToken("expiry@example.com"),
      await resetToken("expiry@example.com"),
    ];
    expect((await reset(second)).statusCode).toBe(200);
    expect(outcomeOf(await reset(first, "third-harbour-95"))).toEqual([410, "mail_token_ended"]);
    const late = await resetToken("expiry@example.com");
    accounts.advance(hour);
    expect(outcomeOf(await reset(late))).toEqual([410, "mail_token_ended"]);
  });

  it("11: has a link to the site, whatever host the request names", async () => {
    await accounts.join("poison@example.com");
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      forwarded: "host=evil.example",
    };
    await forgotten("poison@example.com", headers);
    const [mail] = await accounts.mails();
    expect(mail?.text).toContain("https://talent.example/login/reset#token=");
    expect(JSON.stringify(mail)).not.toContain("evil.example");
  });

  it("11: a link of another kind resets nothing", async () => {
    await accounts.call("POST /api/account/registration", {
      body: { email: "other-kind@example.com", language: "en" },
    });
    const [mail] = await accounts.mails();
    expect(outcomeOf(await reset(mail?.token ?? ""))).toEqual([404, "mail_token_unknown"]);
  });

  it("25: of a banned account is not reset", async () => {
    const session = await accounts.join("banned@example.com");
    const token = await resetToken("banned@example.com");
    const hash = accounts.context.keys.addressHash("banned@example.com");
    await accounts.sql`
      update accounts.account set status = 'banned' where address_hash = ${hash}`;
    expect(await isSignedIn(session)).toBe(false);
    expect(outcomeOf(await reset(token))).toEqual([410, "mail_token_ended"]);
    expect(outcomeOf(await signIn("banned@example.com", goodPassword))).toEqual([
      422,
      "sign_in_refused",
    ]);
    await forgotten("banned@example.com");
    expect(await accounts.mails()).toEqual([]);
  });
});

describe("a change of the password", () => {
  const change = (token: string, current: string, password: string) =>
    accounts.call("POST /api/account/password", { token, body: { current, password } });

  it("9: needs the current one, and ends all sessions but this one", async () => {
    const first = await accounts.join("change@example.com");
    const other = tokenOf(await signIn("change@example.com", goodPassword));
    expect(outcomeOf(await change(first, "wrong-password-1", newPassword))).toEqual([
      422,
      "sign_in_refused",
    ]);
    expect(outcomeOf(await change(first, goodPassword, "password123"))).toEqual([
      422,
      "password_weak",
    ]);
    const token = tokenOf(await change(first, goodPassword, newPassword));
    expect(await Promise.all([first, other, token].map(isSignedIn))).toEqual([false, false, true]);
    expect((await accounts.mails()).map(({ subject }) => subject)).toEqual([
      "Your password was changed",
    ]);
    expect((await signIn("change@example.com", newPassword)).statusCode).toBe(200);
  });

  it("9: is delayed after five wrong ones, also with a stolen session", async () => {
    const token = await accounts.join("stolen@example.com");
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await change(token, `wrong-${attempt}`, newPassword);
    }
    expect(outcomeOf(await change(token, goodPassword, newPassword))).toEqual([
      429,
      "sign_in_delayed",
    ]);
  });
});

describe("a change of the address", () => {
  const change = (token: string, email: string) =>
    accounts.call("POST /api/account/email", { token, body: { email } });
  const confirm = (token: string) =>
    accounts.call("POST /api/account/email/confirm", { body: { token } });

  it("17: needs a recent authentication", async () => {
    const token = await accounts.join("stale@example.com");
    accounts.advance(11 * 60 * 1000);
    expect(outcomeOf(await change(token, "fresh-one@example.com"))).toEqual([
      403,
      "step_up_required",
    ]);
  });

  it("counts once the mail to the new address is followed; the old one is notified", async () => {
    const token = await accounts.join("old@example.com");
    await forgotten("old@example.com");
    const earlier = (await accounts.mails())[0]?.token ?? "";
    expect(outcomeOf(await change(token, "Old@Example.com"))).toEqual([422, "email_unchanged"]);
    expect((await change(token, "new@example.com")).statusCode).toBe(202);
    const [mail] = await accounts.mails();
    expect(mail?.to.address).toBe("new@example.com");
    expect((await signIn("new@example.com", goodPassword)).statusCode).toBe(422);
    expect((await confirm(mail?.token ?? "")).json()).toEqual({ status: "done" });
    expect(outcomeOf(await confirm(mail?.token ?? ""))).toEqual([410, "mail_token_ended"]);
    const [notice] = await accounts.mails();
    expect([notice?.to.address, notice?.subject]).toEqual([
      "old@example.com",
      "The address of your account was changed",
    ]);
    expect((await signIn("new@example.com", goodPassword)).statusCode).toBe(200);
    expect((await signIn("old@example.com", goodPassword)).statusCode).toBe(422);
    // A link that was mailed to the old address no longer opens the account.
    expect(outcomeOf(await reset(earlier))).toEqual([410, "mail_token_ended"]);
  });

  it("1: to an address that has an account is answered alike, and changes nothing", async () => {
    const token = await accounts.join("mover@example.com");
    await accounts.join("taken@example.com");
    expect((await change(token, "taken@example.com")).statusCode).toBe(202);
    const [mail] = await accounts.mails();
    expect(mail?.subject).toBe("You already have a Pro Talent account");
    expect(mail?.token).toBe("");
  });
});
