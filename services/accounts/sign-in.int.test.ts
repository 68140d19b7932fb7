import { argon2Sync, randomBytes } from "node:crypto";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { buildAccountsApp } from "./app.ts";
import { countAttempt, networkLimit } from "./attempts.ts";
import {
  type AccountsUnderTest,
  goodPassword,
  internalToken,
  openAccountsUnderTest,
  outcomeOf,
  publicOrigin,
  tokenOf,
  watchStatements,
} from "./testing/accounts-under-test.ts";

const minute = 60_000;

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
afterAll(() => accounts.drop());

type From = { ip?: string; headers?: Record<string, string> };
const signIn = (email: string, password: string, from: From = {}) =>
  accounts.call("POST /api/account/sign-in", { body: { email, password }, ...from });

describe("a sign-in", () => {
  it("1: with an unknown address and with a wrong password is answered alike", async () => {
    await accounts.join("here@example.com");
    const [known, unknown] = [
      await signIn("here@example.com", "wrong-password-1"),
      await signIn("not-here@example.com", "wrong-password-1"),
    ];
    const bodyOf = (answer: typeof known) => ({ ...answer.json<object>(), requestId: "" });
    expect(known.statusCode).toBe(422);
    expect([bodyOf(unknown), unknown.statusCode]).toEqual([bodyOf(known), known.statusCode]);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers));
  });

  it("2: runs the same statements for a known and an unknown address", async () => {
    await accounts.join("timed@example.com");
    const texts: string[] = [];
    const sql = watchStatements(accounts.sql, (text) => texts.push(text));
    const context = { ...accounts.context, sql };
    const log = createLogger({ service: "accounts", level: "silent" });
    const limits = { entriesPerMinute: 10_000, callsPerMinute: 10_000 };
    const app = await buildAccountsApp({ context, log, internalToken, ...limits });
    const statementsFor = async (email: string): Promise<string[]> => {
      texts.length = 0;
      const payload = { email, password: "wrong-password-1" };
      await app.inject({ method: "POST", url: "/api/account/sign-in", payload });
      return [...texts];
    };
    const known = await statementsFor("timed@example.com");
    expect(known.length).toBeGreaterThan(1);
    expect(await statementsFor("not-known@example.com")).toEqual(known);
    await app.close();
  });

  it("3: is limited for one account although each attempt comes from another address", async () => {
    await accounts.join("target@example.com");
    const statuses: number[] = [];
    for (let host = 0; host < 1000; host += 1) {
      const ip = `198.51.${host >> 8}.${host & 255}`;
      statuses.push(
        (await signIn("target@example.com", `guess-number-${host}`, { ip })).statusCode,
      );
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(995);
    // An unknown address is limited in the same way.
    const unknown = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map(() => signIn("no-target@example.com", "wrong-password-1")),
    );
    expect(unknown.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
  });

  it("3: attempts at the same moment are limited like attempts one after the other", async () => {
    await accounts.join("burst@example.com");
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) => signIn("burst@example.com", `guess-${n}-guess`)),
    );
    expect(all.filter(({ statusCode }) => statusCode === 422)).toHaveLength(5);
  });

  it("4: is limited for one network of IPv6, whichever of its addresses is used", async () => {
    const limit = networkLimit(accounts.context.keys, "2001:db8:1:2::");
    for (let attempt = 0; attempt < 50; attempt += 1) {
      await countAttempt(accounts.sql, [limit], accounts.context.clock());
    }
    const from = async (ip: string, forwarded?: string) => {
      const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
      return (await signIn("a@example.com", "wrong-password-1", { ip, headers })).statusCode;
    };
    expect(await from("2001:db8:1:2::1")).toBe(429);
    expect(await from("2001:db8:1:2:ffff::9")).toBe(429);
    expect(await from("2001:db8:1:3::1")).toBe(422);
    // A forwarding header counts only when it comes from a trusted proxy.
    expect(await from("2001:db8:1:2::1", "203.0.113.9")).toBe(429);
    expect(await from("10.0.0.1", "203.0.113.9, 2001:db8:1:2::7")).toBe(429);
    expect(await from("10.0.0.1", "203.0.113.9")).toBe(422);
  });

  it("5: stays possible for the owner after an attack: after a wait, or at once after a reset", async () => {
    await accounts.join("owner@example.com");
    for (let round = 0; round < 12; round += 1) {
      await signIn("owner@example.com", "wrong-password-1");
      accounts.advance(16 * minute);
    }
    expect((await signIn("owner@example.com", goodPassword)).statusCode).toBe(200);
    for (let round = 0; round < 6; round += 1)
      await signIn("owner@example.com", "wrong-password-1");
    const delayed = await signIn("owner@example.com", goodPassword);
    expect(outcomeOf(delayed)).toEqual([429, "sign_in_delayed"]);
    expect(Number(delayed.headers["retry-after"])).toBeLessThanOrEqual(15 * 60);
    await accounts.mails();
    const body = { email: "owner@example.com", language: "en" };
    await accounts.call("POST /api/account/password/forgotten", { body });
    const [mail] = await accounts.mails();
    const reset = { token: mail?.token, password: "another-harbour-94" };
    expect(
      (await accounts.call("POST /api/account/password/reset", { body: reset })).statusCode,
    ).toBe(200);
    expect((await signIn("owner@example.com", "another-harbour-94")).statusCode).toBe(200);
  });

  it("8: takes a password as it was pasted, with spaces at its ends", async () => {
    await accounts.join("paste@example.com", "  two words, 3 spaces  ");
    expect((await signIn("paste@example.com", "  two words, 3 spaces  ")).statusCode).toBe(200);
    expect((await signIn("paste@example.com", "two words, 3 spaces")).statusCode).toBe(422);
  });

  it("10: keeps an Argon2id hash, and makes it anew when its parameters are no longer today's", async () => {
    await accounts.join("hash@example.com");
    const addressHash = accounts.context.keys.addressHash("hash@example.com");
    const stored = async () =>
      (
        await accounts.sql<{ hash: string }[]>`
          select password_hash as hash from accounts.account where address_hash = ${addressHash}`
      )[0]?.hash ?? "";
    const today = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/;
    const before = await stored();
    expect(before).toMatch(today);
    expect((await signIn("hash@example.com", goodPassword)).statusCode).toBe(200);
    expect(await stored()).toBe(before);
    const cost = { memory: 1024, passes: 1, parallelism: 1, tagLength: 32 };
    const [message, nonce, secret] = [goodPassword, randomBytes(16), accounts.context.keys.pepper];
    const tag = argon2Sync("argon2id", { message, nonce, secret, ...cost });
    const texts = [nonce, tag].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
    const earlier = `$argon2id$v=19$m=1024,t=1,p=1$${texts.join("$")}`;
    await accounts.sql`
      update accounts.account set password_hash = ${earlier} where address_hash = ${addressHash}`;
    expect((await signIn("hash@example.com", "wrong-password-1")).statusCode).toBe(422);
    expect(await stored()).toBe(earlier);
    expect((await signIn("hash@example.com", goodPassword)).statusCode).toBe(200);
    expect(await stored()).toMatch(today);
    expect((await signIn("hash@example.com", goodPassword)).statusCode).toBe(200);
  });

  it("18: from a browser that the account did not know is mailed, without an address", async () => {
    await accounts.join("device@example.com");
    await signIn("device@example.com", goodPassword);
    expect(await accounts.mails()).toEqual([]);
    const safari =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
    const from = { ip: "203.0.113.77", headers: { "user-agent": safari } };
    await signIn("device@example.com", goodPassword, from);
    const [mail, ...more] = await accounts.mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: { address: "device@example.com" },
      subject: "New sign-in to your account",
    });
    expect(mail?.text).toContain("Mobile Safari");
    expect(mail?.text).toContain("iOS");
    expect(mail?.text).not.toContain("203.0.113");
    await signIn("device@example.com", goodPassword, from);
    expect(await accounts.mails()).toEqual([]);
  });

  it("22: has a new token each time, and none that was sent before is taken over", async () => {
    const first = await accounts.join("tokens@example.com");
    const planted = "A".repeat(43);
    const answer = await signIn("tokens@example.com", goodPassword, {
      headers: { authorization: `Bearer ${planted}`, cookie: `owner=${planted}; token=${planted}` },
    });
    const token = tokenOf(answer);
    expect([planted, first]).not.toContain(token);
    expect(String(answer.headers["set-cookie"])).not.toContain(planted);
    const refused = await accounts.call("GET /api/account", { token: planted });
    expect(refused.statusCode).toBe(401);
  });
});

describe("29: what a browser sends and keeps", () => {
  it("the cookie is for the server alone, of this site alone, and authorises nothing", async () => {
    await accounts.join("cookie@example.com");
    const answer = await signIn("cookie@example.com", goodPassword);
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(
      /^owner=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
    );
    const headers = { cookie: cookie.split(";", 1)[0] ?? "" };
    expect((await accounts.call("GET /api/account", { headers })).statusCode).toBe(401);
    const [row] = await accounts.sql`
      select 1 from accounts.sign_in_session
       where owner_hash = ${Buffer.from(cookie.slice(6, 49), "base64url")}`;
    expect(row).toBeUndefined();
  });

  it("a page of another site can neither sign in nor out", async () => {
    const token = await accounts.join("csrf@example.com");
    const foreign = [
      { origin: "https://evil.example" },
      { origin: `${publicOrigin}.evil.example` },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      const answer = await signIn("csrf@example.com", goodPassword, { headers });
      expect(outcomeOf(answer)).toEqual([403, "forbidden"]);
      const signOut = await accounts.call("POST /api/account/sign-out", { token, headers });
      expect(outcomeOf(signOut)).toEqual([403, "forbidden"]);
    }
    const own = { origin: publicOrigin, "sec-fetch-site": "same-origin" };
    expect((await signIn("csrf@example.com", goodPassword, { headers: own })).statusCode).toBe(200);
    expect((await accounts.call("GET /api/account", { token })).statusCode).toBe(200);
  });

  it("no call takes a bearer token in its address", async () => {
    const token = await accounts.join("address@example.com");
    for (const name of ["token", "access_token", "ticket", "authorization"]) {
      const answer = await accounts.call(`GET /api/account?${name}=${token}`);
      expect(answer.statusCode).toBe(401);
    }
  });
});
