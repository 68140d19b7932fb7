import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type AccountsUnderTest,
  goodPassword,
  internalToken,
  joinBody,
  openAccountsUnderTest,
  outcomeOf,
  tokenOf,
} from "./testing/accounts-under-test.ts";

const hour = 60 * 60 * 1000;

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());

const invite = (invitationId: string, email: string) =>
  accounts.call("POST /internal/accounts/invitations", {
    body: { invitationId, email, language: "he", occasion: "launch", discountPercent: 20 },
    token: internalToken,
  });
const register = (email: string) =>
  accounts.call("POST /api/account/registration", { body: { email, language: "en" } });
const join = (token: string, password?: string) =>
  accounts.call("POST /api/account/join", { body: joinBody(token, password) });
const peek = (token: string) => accounts.call("POST /api/account/invitation", { body: { token } });

it("the links that opened an account are erased with it, and those to other addresses stay", async () => {
  const keyCount = async () =>
    (await accounts.sql`select from accounts.data_key where account_id is null`).length;
  const before = await keyCount();
  for (const email of ["erased@example.com", "erased@example.com", "kept@example.com"])
    await register(email);
  const mails = await accounts.mails();
  const tokensTo = (email: string) =>
    mails.flatMap(({ to, token: mailed }) => (to.address === email ? [mailed] : []));
  const [token = "", other = ""] = tokensTo("erased@example.com");
  const [kept = ""] = tokensTo("kept@example.com");
  const session = tokenOf(await join(token));
  const { accountId } = (await accounts.call("GET /api/account", { token: session })).json<{
    accountId: string;
  }>();
  expect(await keyCount()).toBe(before + 3);
  const erased = await accounts.call(`DELETE /internal/accounts/${accountId}`, {
    token: internalToken,
  });
  expect(erased.json()).toMatchObject({ left: 0 });
  expect(await keyCount()).toBe(before + 1);
  for (const ended of [token, other])
    expect(outcomeOf(await peek(ended))).toEqual([404, "mail_token_unknown"]);
  expect((await peek(kept)).statusCode).toBe(200);
});

describe("an invitation", () => {
  it("19: opens one account, for its address, once", async () => {
    const id = "0198c1a0-0000-7000-8000-000000000001";
    expect(outcomeOf(await invite(id, "dana@example.com"))).toEqual([200, "mailed"]);
    const [mail] = await accounts.mails();
    expect(mail).toMatchObject({ to: { address: "dana@example.com" }, language: "he" });
    expect(mail?.text).toContain("20%");
    const token = mail?.token ?? "";
    expect((await peek(token)).json()).toMatchObject({ email: "dana@example.com", language: "he" });
    const attempts = await Promise.all([1, 2, 3, 4, 5].map(() => join(token)));
    const answers = attempts.map(outcomeOf);
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([, code]) => code === "mail_token_ended")).toHaveLength(4);
    expect(outcomeOf(await peek(token))).toEqual([410, "mail_token_ended"]);
    const signedIn = attempts.find(({ statusCode }) => statusCode === 200);
    const account = await accounts.call("GET /api/account", {
      token: signedIn ? tokenOf(signedIn) : "",
    });
    expect(account.json()).toMatchObject({
      email: "dana@example.com",
      roles: ["holder"],
      factor: false,
      profile: { fullName: "Noa Levi", timeZone: "Asia/Jerusalem", handle: null },
    });
  });

  it("is mailed once however often it is requested", async () => {
    const id = "0198c1a0-0000-7000-8000-000000000002";
    await invite(id, "once@example.com");
    expect(await accounts.mails()).toHaveLength(1);
    expect(outcomeOf(await invite(id, "once@example.com"))).toEqual([200, "mailed"]);
    expect(await accounts.mails()).toEqual([]);
  });

  it("to an account holder is the notice of the launch with the discount, once, without a link to join", async () => {
    const token = await accounts.join("holder@example.com");
    const { accountId } = (await accounts.call("GET /api/account", { token })).json<{
      accountId: string;
    }>();
    const id = "0198c1a0-0000-7000-8000-000000000003";
    const answer = await invite(id, "Holder@Example.com");
    expect(answer.json()).toEqual({ status: "has-account", accountId });
    const [notice, ...more] = await accounts.mails();
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ to: { address: "Holder@Example.com" }, token: "" });
    expect(notice?.text).toContain("20%");
    expect(notice?.text).toContain("https://talent.example/pricing");
    expect((await invite(id, "holder@example.com")).json()).toEqual(answer.json());
    expect(await accounts.mails()).toEqual([]);
  });

  it("gives its discount to the account that it opens, also through the link of a registration", async () => {
    const openings = () => accounts.sql`
      select invitation_id, discount_percent from accounts.account_opening
       where invitation_id = ${"0198c1a0-0000-7000-8000-000000000005"}`;
    await invite("0198c1a0-0000-7000-8000-000000000005", "reads-later@example.com");
    await accounts.mails();
    await register("reads-later@example.com");
    const [mail] = await accounts.mails();
    expect((await join(mail?.token ?? "")).statusCode).toBe(200);
    expect([...(await openings())]).toEqual([
      { invitation_id: "0198c1a0-0000-7000-8000-000000000005", discount_percent: 20 },
    ]);
  });

  it("that is on its way when the address gets an account arrives as the notice of the launch", async () => {
    await register("quick@example.com");
    const [registration] = await accounts.mails();
    await invite("0198c1a0-0000-7000-8000-000000000006", "quick@example.com");
    expect((await join(registration?.token ?? "")).statusCode).toBe(200);
    const [mail] = await accounts.mails();
    expect(mail?.token).toBe("");
    expect(mail?.text).toContain("20%");
  });

  it("19: ends after fourteen days, and no other text opens anything", async () => {
    await invite("0198c1a0-0000-7000-8000-000000000004", "late@example.com");
    const [mail] = await accounts.mails();
    accounts.advance(14 * 24 * hour - 1);
    expect((await peek(mail?.token ?? "")).statusCode).toBe(200);
    accounts.advance(1);
    expect(outcomeOf(await join(mail?.token ?? ""))).toEqual([410, "mail_token_ended"]);
    for (const token of ["x", "A".repeat(64), `${mail?.token}A`, (mail?.token ?? "").slice(1)]) {
      expect(outcomeOf(await join(token))).toEqual([404, "mail_token_unknown"]);
    }
  });
});

describe("a registration", () => {
  it("1: is answered alike for known and unknown addresses; the mail says which it is", async () => {
    await accounts.join("known@example.com");
    const answers = [await register("known@example.com"), await register("fresh@example.com")];
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [202, '{"status":"mailed"}'],
      [202, '{"status":"mailed"}'],
    ]);
    expect(answers.map(({ headers }) => Object.keys(headers))[0]).toEqual(
      Object.keys(answers[1]?.headers ?? {}),
    );
    const mails = await accounts.mails();
    expect(new Map(mails.map(({ to, subject }) => [to.address, subject]))).toEqual(
      new Map([
        ["fresh@example.com", "Open your Pro Talent account"],
        ["known@example.com", "You already have a Pro Talent account"],
      ]),
    );
    const link = mails.find(({ to }) => to.address === "fresh@example.com")?.text ?? "";
    expect(link).toContain("https://talent.example/join#token=");
  });

  it("1: writes the same for a known and an unknown address, and nothing that shows it", async () => {
    await register("known@example.com");
    await register("unknown@example.com");
    const rows = await accounts.sql<{ kind: string; sealed: Buffer; account_id: string | null }[]>`
      select kind, account_id, sealed from accounts.requested_mail`;
    expect(rows.map(({ kind, account_id: id }) => [kind, id])).toEqual([
      ["registration", null],
      ["registration", null],
    ]);
    for (const { sealed } of rows) expect(sealed.includes("example.com")).toBe(false);
    await accounts.mails();
  });

  it("keeps where it was to lead, in the mailed link; another site is refused", async () => {
    const next = "/checkout?plan=premium&cycle=annual";
    const requested = (email: string, to: string) =>
      accounts.call("POST /api/account/registration", {
        body: { email, language: "en", next: to },
      });
    await requested("buyer@example.com", next);
    const [mail] = await accounts.mails();
    expect(mail?.text).toContain(`/join?next=${encodeURIComponent(next)}#token=`);
    await accounts.join("member@example.com");
    await requested("member@example.com", next);
    const [known] = await accounts.mails();
    expect(known?.text).toContain(`/login?next=${encodeURIComponent(next)}`);
    for (const other of ["//evil.example", "/\\evil.example", "https://evil.example"]) {
      expect((await requested("buyer@example.com", other)).statusCode).toBe(422);
    }
  });

  it("is mailed at most five times for one address, and again an hour later", async () => {
    for (let request = 0; request < 8; request += 1) await register("often@example.com");
    expect(await accounts.mails()).toHaveLength(5);
    accounts.advance(hour);
    await register("often@example.com");
    expect(await accounts.mails()).toHaveLength(1);
  });

  it("opens one account although two links were mailed to the address", async () => {
    await register("twice@example.com");
    await register("TWICE@example.com");
    const [one, two] = await accounts.mails();
    const answers = await Promise.all([join(one?.token ?? ""), join(two?.token ?? "")]);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 410]));
  });

  it("is refused while accounts open by invitation", async () => {
    const closed = await openAccountsUnderTest({ registration: "invitation" });
    const body = { email: "some@example.com", language: "en" };
    const refused = await closed.call("POST /api/account/registration", { body });
    expect(outcomeOf(refused)).toEqual([403, "registration_closed"]);
    expect(await closed.mails()).toEqual([]);
    await closed.drop();
  });
});

describe("a new password", () => {
  it("6: has 8 to 128 characters of any script, and counts as it was typed", async () => {
    const opened = async (password: string): Promise<number> => {
      await register(`p${Math.random()}@example.com`);
      const [mail] = await accounts.mails();
      return (await join(mail?.token ?? "", password)).statusCode;
    };
    expect(await opened("סיסמתי")).toBe(422);
    expect(await opened("מילה1ארוכה")).toBe(200);
    expect(await opened("🎈🎉🎁🎂🎃🎄🎅")).toBe(422);
    expect(await opened("🎈🎉🎁🎂🎃🎄🎅🎆")).toBe(200);
    expect(await opened("Xy7!".repeat(32))).toBe(200);
    expect(await opened(`${"Xy7!".repeat(32)}x`)).toBe(422);
  });

  it("6: is not cut, and another way to write the same characters is the same", async () => {
    const long = `${"צבע כחול 7 ".repeat(11)}caf\u00E9`;
    await accounts.join("long@example.com", long);
    const signIn = async (password: string) => {
      const body = { email: "long@example.com", password };
      return (await accounts.call("POST /api/account/sign-in", { body })).statusCode;
    };
    expect(await signIn(long.slice(0, -1))).toBe(422);
    expect(await signIn(long.normalize("NFD"))).toBe(200);
  });

  it("7: that is common, or follows from the address, is refused and the link stays valid", async () => {
    await register("shira.cohen@example.com");
    const [mail] = await accounts.mails();
    const token = mail?.token ?? "";
    const weak =
      "password1 iloveyou Football1 𝒶𝒷𝒸𝒹𝑒𝒻𝑔𝒽 shiracohen1 Cohen.2026 protalent123 aaaaaaaaaa";
    for (const password of weak.split(" ")) {
      expect([password, ...outcomeOf(await join(token, password))]).toEqual([
        password,
        422,
        "password_weak",
      ]);
    }
    expect(outcomeOf(await join(token, goodPassword))).toEqual([200, "signed-in"]);
  });
});

it("what was accepted at joining is kept for the ledger, with the account", async () => {
  const token = await accounts.join("proof@example.com");
  const { accountId } = (await accounts.call("GET /api/account", { token })).json<{
    accountId: string;
  }>();
  const [row] = await accounts.sql`
    select documents, recorded_at from accounts.account_opening where account_id = ${accountId}`;
  expect(row).toMatchObject({
    documents: [
      { document: "terms", language: "en" },
      { document: "privacy", language: "en" },
    ],
    recorded_at: null,
  });
});
