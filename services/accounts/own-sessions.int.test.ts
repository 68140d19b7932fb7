import { randomBytes, randomUUID } from "node:crypto";

import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import { SignInSession } from "@pro-talent/schemas/accounts/calls";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AccountsUnderTest,
  goodPassword,
  internalToken,
  openAccountsUnderTest,
  outcomeOf,
  tokenOf,
} from "./testing/accounts-under-test.ts";
import { forgetEnded } from "./worker-app.ts";

const day = 24 * 60 * 60 * 1000;

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());

const signIn = async (email: string) =>
  tokenOf(
    await accounts.call("POST /api/account/sign-in", { body: { email, password: goodPassword } }),
  );
const status = async (token: string) =>
  (await accounts.call("GET /api/account", { token })).statusCode;
const list = async (token: string) => {
  const answer = await accounts.call("GET /api/account/sessions", { token });
  return z.object({ sessions: z.array(SignInSession) }).parse(answer.json()).sessions;
};

describe("sign-in sessions", () => {
  it("24: end with the sign-out, and the token opens nothing afterwards", async () => {
    const token = await accounts.join("out@example.com");
    const answer = await accounts.call("POST /api/account/sign-out", { token });
    expect(answer.json()).toEqual({ status: "done" });
    expect(String(answer.headers["set-cookie"])).toMatch(/^owner=; Path=\/; Max-Age=0; /);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(await status(token)).toBe(401);
    expect((await accounts.call("POST /api/account/sign-out", { token })).statusCode).toBe(401);
  });

  it("26: are listed, and the others end together", async () => {
    const first = await accounts.join("list@example.com");
    const second = await signIn("list@example.com");
    const sessions = await list(second);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ browser: "Firefox", system: "Linux" });
    await accounts.call("POST /api/account/sessions/end-others", { token: second });
    expect([await status(first), await status(second)]).toEqual([401, 200]);
  });

  it("26: end one by one", async () => {
    const first = await accounts.join("one@example.com");
    const second = await signIn("one@example.com");
    const other = (await list(second)).find(({ current }) => !current);
    await accounts.call(`DELETE /api/account/sessions/${other?.sessionId}`, { token: second });
    expect([await status(first), await status(second)]).toEqual([401, 200]);
  });

  it("27: of another account are not found, and go on", async () => {
    const mine = await accounts.join("mine@example.com");
    const theirs = await accounts.join("theirs@example.com");
    const [session] = await list(theirs);
    for (const id of [session?.sessionId, randomUUID()]) {
      const answer = await accounts.call(`DELETE /api/account/sessions/${id}`, { token: mine });
      expect(outcomeOf(answer)).toEqual([404, "not_found"]);
    }
    expect(await status(theirs)).toBe(200);
  });

  it("21: neither their tokens nor those of mails are anywhere in the database", async () => {
    const token = await accounts.join("rest@example.com");
    const body = { email: "rest@example.com", language: "en" };
    await accounts.call("POST /api/account/password/forgotten", { body });
    const [mail] = await accounts.mails();
    const tables = await accounts.sql<{ name: string }[]>`
      select 'accounts.' || table_name as name from information_schema.tables
       where table_schema = 'accounts' and table_name <> 'migration'`;
    for (const { name } of tables) {
      const rows = await accounts.sql.unsafe(`select t::text as text from ${name} t`);
      const text = rows.map((row) => String(row["text"])).join("\n");
      for (const secret of [token, mail?.token ?? "", "rest@example.com", "Noa Levi"]) {
        expect(secret).not.toBe("");
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString("hex"));
        expect(text).not.toContain(Buffer.from(secret, "base64url").toString("hex"));
      }
    }
  });

  it("are forgotten when they have ended, and those that go on are not", async () => {
    await accounts.join("gone@example.com");
    accounts.advance(31 * day);
    const token = await accounts.join("stays@example.com");
    await forgetEnded(accounts.sql, accounts.context.clock());
    const [row] = await accounts.sql<{ n: number }[]>`
      select count(*) as n from accounts.sign_in_session`;
    expect(row?.n).toBe(1);
    expect(await status(token)).toBe(200);
  });
});

describe("a ticket", () => {
  const path = "/api/billing/invoices/1";
  const issue = async (token: string) => {
    const answer = await accounts.call("POST /api/account/tickets", { token, body: { path } });
    return answer.json<{ ticket: string }>().ticket;
  };
  const redeem = (ticket: string, at = path) =>
    readSignInSessions(accounts.sql, accounts.context.clock).ofTicket(ticket, at);

  it("is for one download, at its path, within a minute", async () => {
    const token = await accounts.join("ticket@example.com");
    const ticket = await issue(token);
    expect(await redeem(ticket, "/api/billing/invoices/2")).toBeUndefined();
    const all = await Promise.all([1, 2, 3, 4].map(() => redeem(ticket)));
    expect(all.filter((account) => account !== undefined)).toHaveLength(1);
    const late = await issue(token);
    accounts.advance(60_000);
    expect(await redeem(late)).toBeUndefined();
  });

  it("ends with the session that asked for it", async () => {
    const token = await accounts.join("ticket-out@example.com");
    const ticket = await issue(token);
    await accounts.call("POST /api/account/sign-out", { token });
    expect(await redeem(ticket)).toBeUndefined();
  });
});

describe("a profile", () => {
  const change = (token: string, body: object) =>
    accounts.call("PATCH /api/account/profile", { token, body });

  it("keeps what a change leaves out", async () => {
    const token = await accounts.join("profile@example.com");
    await change(token, { phone: "+972 3 000 0000", language: "he" });
    const answer = await change(token, { handle: "Noa-Levi" });
    expect(answer.json()).toMatchObject({
      profile: {
        fullName: "Noa Levi",
        phone: "+972 3 000 0000",
        address: "",
        language: "he",
        handle: "noa-levi",
      },
    });
  });

  it("has a handle that no other account has, that looks like no other, and that is no page", async () => {
    const [one, two] = [
      await accounts.join("h1@example.com"),
      await accounts.join("h2@example.com"),
    ];
    expect((await change(one, { handle: "modern-ali" })).statusCode).toBe(200);
    const refused = ["modern-ali", "MODERN-ALI", "modernali", "modem-a11", "m0dern-ali"];
    for (const handle of [...refused, "pricing", "adm1n", "pro-ta1ent", "supp0rt"]) {
      expect([handle, ...outcomeOf(await change(two, { handle }))]).toEqual([
        handle,
        409,
        "handle_taken",
      ]);
    }
    expect((await change(one, { handle: "modern-ali", phone: "1" })).statusCode).toBe(200);
    expect((await change(one, { handle: null })).statusCode).toBe(200);
    expect((await change(two, { handle: "modern-ali" })).statusCode).toBe(200);
  });

  it("says which handles are free, though not to who lists them", async () => {
    const [one, two] = [
      await accounts.join("free1@example.com"),
      await accounts.join("free2@example.com"),
    ];
    await change(one, { handle: "dana-cohen" });
    const check = (token: string, handle: string) =>
      accounts.call("POST /api/account/handle/check", { token, body: { handle } });
    for (const [token, handle, suggestion] of [
      [two, "dana-levi", null],
      [two, "Dana-C0hen", "dana-c0hen-2"],
      [two, "pricing", "pricing-2"],
      [one, "dana-cohen", null],
    ] as const) {
      const free = suggestion === null;
      expect([handle, (await check(token, handle)).json()]).toEqual([handle, { free, suggestion }]);
    }
    expect(outcomeOf(await check(two, "-"))[0]).toBe(422);
    for (let asked = 3; asked < 60; asked += 1) await check(two, `name-${asked}`);
    expect(outcomeOf(await check(two, "dana-levi"))).toEqual([429, "rate_limited"]);
    expect((await check(one, "dana-levi")).statusCode).toBe(200);
  });

  it("has a photo that is drawn anew, without the metadata of the picture", async () => {
    const token = await accounts.join("photo@example.com");
    const put = (picture: Buffer) =>
      accounts.call("PUT /api/account/photo", {
        token,
        body: { picture: picture.toString("base64") },
      });
    const drawn = sharp({ create: { width: 900, height: 600, channels: 3, background: "#357" } });
    const original = await drawn
      .withExif({ IFD0: { Artist: "SECRET-PLACE" } })
      .jpeg()
      .toBuffer();
    expect(original.includes("SECRET-PLACE")).toBe(true);
    expect((await put(original)).json()).toEqual({ status: "done" });
    const photo = await accounts.call("GET /api/account/photo", { token });
    expect(photo.headers["content-type"]).toBe("image/webp");
    const { width, height, format, exif } = await sharp(photo.rawPayload).metadata();
    expect({ width, height, format, exif }).toEqual({
      width: 512,
      height: 512,
      format: "webp",
      exif: undefined,
    });
    expect(photo.rawPayload.includes("SECRET-PLACE")).toBe(false);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const picture of [svg, randomBytes(500), original.subarray(0, 300)]) {
      expect(outcomeOf(await put(picture))).toEqual([422, "photo_unreadable"]);
    }
    await accounts.call("DELETE /api/account/photo", { token });
    expect((await accounts.call("GET /api/account/photo", { token })).statusCode).toBe(404);
  });
});

it("20: other services read how a holder is addressed; no call sets the password of another", async () => {
  const token = await accounts.join("contact@example.com");
  const { accountId } = (await accounts.call("GET /api/account", { token })).json<{
    accountId: string;
  }>();
  const contact = (id: string, bearer: string) =>
    accounts.call(`GET /internal/accounts/${id}/contact`, { token: bearer });
  expect((await contact(accountId, internalToken)).json()).toEqual({
    email: "contact@example.com",
    fullName: "Noa Levi",
    address: "",
    language: "en",
    timeZone: "Asia/Jerusalem",
  });
  expect((await contact(randomUUID(), internalToken)).statusCode).toBe(404);
  expect((await contact(accountId, token)).statusCode).toBe(401);
});

it("a browser is recognised as its owner's by the cookie of the sign-in, until the sign-out", async () => {
  await accounts.join("owner@example.com");
  const signedIn = await accounts.call("POST /api/account/sign-in", {
    body: { email: "owner@example.com", password: goodPassword },
  });
  const cookie = /^owner=([\w-]+);/u.exec(String(signedIn.headers["set-cookie"]))?.[1] ?? "";
  const ownerOf = async (sent: string, token = internalToken) =>
    await accounts.call("POST /internal/accounts/owner", { body: { cookie: sent }, token });
  expect((await ownerOf(cookie)).json()).toEqual({
    accountId: expect.stringMatching(/^[0-9a-f-]{36}$/u),
  });
  expect((await ownerOf(randomBytes(32).toString("base64url"))).json()).toEqual({
    accountId: null,
  });
  expect((await ownerOf(cookie, "guessed")).statusCode).toBe(401);
  await accounts.call("POST /api/account/sign-out", { token: tokenOf(signedIn) });
  expect((await ownerOf(cookie)).json()).toEqual({ accountId: null });
});
