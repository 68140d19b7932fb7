import { randomUUID } from "node:crypto";

import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import { accessTokenCalls } from "@pro-talent/schemas/accounts/token-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeToken } from "./access-tokens.ts";
import {
  type AccountsUnderTest,
  openAccountsUnderTest,
  outcomeOf,
} from "./testing/accounts-under-test.ts";
import { forgetEnded } from "./worker-app.ts";

const day = 24 * 60 * 60 * 1000;
const body = { name: "My spreadsheet", scopes: ["links:read"] };

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());

const holderOf = (secret: string) =>
  readSignInSessions(accounts.sql, accounts.context.clock).ofAccessToken(secret);

async function make(token: string, change: object = {}) {
  const answer = await accounts.call("POST /api/account/tokens", {
    token,
    body: { ...body, ...change },
  });
  expect(answer.statusCode).toBe(201);
  return accessTokenCalls["POST /api/account/tokens"].answer.parse(answer.json());
}

async function list(token: string) {
  const answer = await accounts.call("GET /api/account/tokens", { token });
  return accessTokenCalls["GET /api/account/tokens"].answer.parse(answer.json()).tokens;
}

describe("access tokens", () => {
  it("are shown once, and listed by name and first characters", async () => {
    const token = await accounts.join("made@example.com");
    const { secret, token: made } = await make(token);
    expect(secret).toMatch(/^pt_[\w-]{43}$/);
    expect(made).toMatchObject({ ...body, prefix: secret.slice(0, 8), lastUsedOn: null });
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(90 * day);
    const listed = await accounts.call("GET /api/account/tokens", { token });
    expect(listed.json()).toEqual({ tokens: [made], tokensMax: 10 });
    expect(listed.body).not.toContain(secret);
  });

  it("and their names are nowhere in the database", async () => {
    const { secret } = await make(await accounts.join("rest@example.com"), { name: "Secret plan" });
    const rows = await accounts.sql`select t::text as text from accounts.access_token t`;
    const text = rows.map((row) => String(row["text"])).join("\n");
    for (const sought of [secret, "Secret plan", Buffer.from("Secret plan").toString("hex")])
      expect(text).not.toContain(sought);
  });

  it("need an authentication of the last minutes", async () => {
    const token = await accounts.join("step-up@example.com");
    accounts.advance(11 * 60_000);
    const answer = await accounts.call("POST /api/account/tokens", { token, body });
    expect(outcomeOf(answer)).toEqual([403, "step_up_required"]);
  });

  it("open what their scopes say, and the day of the last use is noted", async () => {
    const token = await accounts.join("use@example.com");
    const { secret, token: made } = await make(token, { scopes: ["opens:read", "opens:read"] });
    expect(await holderOf(secret)).toMatchObject({
      tokenId: made.tokenId,
      scopes: ["opens:read"],
    });
    const today = new Date(accounts.context.clock()).toISOString().slice(0, 10);
    expect((await list(token))[0]?.lastUsedOn).toBe(today);
  });

  it("open no call of a signed-in person, and a sign-in is no access token", async () => {
    const token = await accounts.join("apart@example.com");
    const { secret } = await make(token);
    for (const call of ["GET /api/account", "GET /api/account/tokens"])
      expect(outcomeOf(await accounts.call(call, { token: secret }))[0]).toBe(401);
    expect(await holderOf(token)).toBeUndefined();
    expect(await holderOf(`pt_${token}`)).toBeUndefined();
  });

  it("are refused from the moment they are revoked", async () => {
    const token = await accounts.join("revoke@example.com");
    const { secret, token: made } = await make(token);
    expect(await holderOf(secret)).toBeDefined();
    await accounts.call(`DELETE /api/account/tokens/${made.tokenId}`, { token });
    expect(await holderOf(secret)).toBeUndefined();
    expect(await list(token)).toEqual([]);
  });

  it("end on their day, and are deleted afterwards", async () => {
    const token = await accounts.join("end@example.com");
    const { secret } = await make(token, { days: 30 });
    accounts.advance(30 * day - 1);
    expect(await holderOf(secret)).toBeDefined();
    accounts.advance(1);
    expect(await holderOf(secret)).toBeUndefined();
    accounts.advance(2 * 60 * 60 * 1000);
    await forgetEnded(accounts.sql, accounts.context.clock());
    const rows = await accounts.sql`
      select from accounts.access_token where expires_at < ${new Date(accounts.context.clock())}`;
    expect(rows).toHaveLength(0);
  });

  it("are ten at most, also when they are made at once", async () => {
    const token = await accounts.join("many@example.com");
    const made = await Promise.all(
      Array.from({ length: 12 }, () => accounts.call("POST /api/account/tokens", { token, body })),
    );
    const codes = made.map((answer) => outcomeOf(answer)[1] || "made").toSorted();
    expect(codes.filter((code) => code === "made")).toHaveLength(10);
    expect(new Set(codes)).toEqual(new Set(["made", "access_tokens_full"]));
  });

  it("of a banned account open nothing", async () => {
    const { secret } = await make(await accounts.join("banned@example.com"));
    const accountId = (await holderOf(secret))?.accountId ?? "";
    await accounts.sql`
      update accounts.account set status = 'banned' where account_id = ${accountId}`;
    expect(await holderOf(secret)).toBeUndefined();
  });

  it("ask as an analyst only while the account has the role", async () => {
    const token = await accounts.join("analyst@example.com");
    const scopes = ["links:read", "analytics:query"] as const;
    const asked = { token, body: { ...body, scopes } };
    const refused = await accounts.call("POST /api/account/tokens", asked);
    expect(outcomeOf(refused)).toEqual([403, "forbidden"]);
    const { secret: plain } = await make(token);
    const accountId = (await holderOf(plain))?.accountId ?? "";
    const setRoles = (...roles: string[]) => accounts.sql`
      update accounts.account set roles = ${roles}::text[] where account_id = ${accountId}`;
    await setRoles("holder", "analyst");
    const granted = { accountId, name: "Notebook", scopes, days: 30 } as const;
    const { secret = "" } = (await makeToken(accounts.context, granted)) ?? {};
    expect((await holderOf(secret))?.scopes).toEqual(scopes);
    await setRoles("holder");
    expect((await holderOf(secret))?.scopes).toEqual(["links:read"]);
  });

  it("end when the password is reset", async () => {
    const { secret } = await make(await accounts.join("reset@example.com"));
    const forgotten = { email: "reset@example.com", language: "en" };
    await accounts.call("POST /api/account/password/forgotten", { body: forgotten });
    const mail = (await accounts.mails()).find(({ to }) => to.address === "reset@example.com");
    const reset = { token: mail?.token ?? "", password: "amber-lantern-57" };
    const answer = await accounts.call("POST /api/account/password/reset", { body: reset });
    expect(outcomeOf(answer)).toEqual([200, "done"]);
    expect(await holderOf(secret)).toBeUndefined();
  });

  it("of another account are not found, and go on", async () => {
    const mine = await accounts.join("mine@example.com");
    const { secret, token: theirs } = await make(await accounts.join("theirs@example.com"));
    for (const tokenId of [theirs.tokenId, randomUUID()]) {
      const answer = await accounts.call(`DELETE /api/account/tokens/${tokenId}`, { token: mine });
      expect(outcomeOf(answer)).toEqual([404, "not_found"]);
    }
    expect(await holderOf(secret)).toBeDefined();
  });

  it.each([
    ["no scope", { scopes: [] }],
    ["an unknown scope", { scopes: ["links:write"] }],
    ["another length of life", { days: 3650 }],
    ["no name", { name: "  " }],
  ])("with %s are refused", async (_name, change) => {
    const token = await accounts.join(`${randomUUID()}@example.com`);
    const answer = await accounts.call("POST /api/account/tokens", {
      token,
      body: { ...body, ...change },
    });
    expect(outcomeOf(answer)).toEqual([422, "invalid_body"]);
  });
});
