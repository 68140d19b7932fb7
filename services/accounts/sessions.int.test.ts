import { randomUUID } from "node:crypto";

import { readSignInSessions, tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import {
  asRole,
  createTestPostgres,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { migrateAccounts } from "./migrate.ts";
import { endSessions, openSession, replaceToken } from "./sessions.ts";

const start = Date.UTC(2026, 10, 22, 12);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let database: TestPostgres;
let sql: Sql;
/** As another service reads sessions. */
let ledger: Sql;
let now = start;
let accountId: string;

beforeAll(async () => {
  database = await createTestPostgres({ name: "accounts", migrate: migrateAccounts });
  const as = (role: "accounts_app" | "ledger_app") =>
    openPool(asRole(database.ownerUrl, role), { max: 4, applicationName: "test" });
  [sql, ledger] = [as("accounts_app"), as("ledger_app")];
});
afterAll(async () => {
  await Promise.all([sql.end(), ledger.end()]);
  await database.drop();
});
beforeEach(async () => {
  now = start;
  accountId = randomUUID();
  const some = Buffer.from(accountId);
  await sql`
    insert into accounts.account (account_id, address_hash, sealed_email, sealed_profile, language,
                                  time_zone, password_hash, created_at)
    values (${accountId}, ${tokenHash(accountId)}, ${some}, ${some}, 'en', 'UTC', '', ${new Date(now)})`;
});

const sessions = () => readSignInSessions(ledger, () => now);
const open = (factor = false) =>
  openSession(sql, { accountId, factor, userAgent: undefined, nowMs: now });
const staff = () =>
  sql`update accounts.account set roles = '{holder,officer}' where account_id = ${accountId}`;

describe("a sign-in session", () => {
  it("21: has a token of 256 bits, and the stored value opens nothing", async () => {
    const { token, sessionId } = await open();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(await sessions().ofToken(token)).toEqual({
      accountId,
      sessionId,
      roles: ["holder"],
      factor: false,
      authenticatedMs: start,
    });
    const [row] = await sql`select * from accounts.sign_in_session where session_id = ${sessionId}`;
    for (const value of Object.values(row ?? {}).filter((stored) => Buffer.isBuffer(stored))) {
      for (const form of ["hex", "base64url", "base64"] as const) {
        expect(await sessions().ofToken(value.toString(form))).toBeUndefined();
      }
    }
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it("22: gets another token when its holder proves who they are, and the former one ends", async () => {
    const { token, sessionId } = await open();
    now += hour;
    const replaced = await replaceToken(sql, sessionId, { authenticatedMs: now, factor: true });
    expect(await sessions().ofToken(token)).toBeUndefined();
    expect(await sessions().ofToken(replaced ?? "")).toMatchObject({
      sessionId,
      factor: true,
      authenticatedMs: now,
    });
    await endSessions(sql, accountId);
    expect(await replaceToken(sql, sessionId, { authenticatedMs: now })).toBeUndefined();
  });

  it("23: of a holder ends after 30 days without use", async () => {
    const { token } = await open();
    now += 30 * day - 1;
    expect(await sessions().ofToken(token)).toBeDefined();
    now += 30 * day;
    expect(await sessions().ofToken(token)).toBeUndefined();
  });

  it("23: of a holder ends after 90 days of use", async () => {
    const { token } = await open();
    for (let passed = 0; passed < 90; passed += 1) {
      expect(await sessions().ofToken(token)).toBeDefined();
      now += day;
    }
    expect(await sessions().ofToken(token)).toBeUndefined();
  });

  it("23: of staff ends after an hour without use, and after 12 hours of use", async () => {
    await staff();
    const { token } = await open(true);
    now += hour;
    expect(await sessions().ofToken(token)).toBeUndefined();
    now = start;
    const used = await open(true);
    for (; now < start + 12 * hour; now += 30 * minute) {
      expect(await sessions().ofToken(used.token)).toBeDefined();
    }
    expect(await sessions().ofToken(used.token)).toBeUndefined();
  });

  it("notes its use at most every five minutes", async () => {
    const { token, sessionId } = await open();
    const lastUse = async () =>
      (
        await sql<{ at: Date }[]>`
          select last_used_at as at from accounts.sign_in_session where session_id = ${sessionId}`
      )[0]?.at.getTime();
    now += 5 * minute - 1;
    await sessions().ofToken(token);
    expect(await lastUse()).toBe(start);
    now += 1;
    await Promise.all([1, 2, 3, 4].map(() => sessions().ofToken(token)));
    expect(await lastUse()).toBe(now);
  });

  it("25: ends at once when the account is banned or closed, or its roles change", async () => {
    for (const change of ["status = 'banned'", "status = 'closed'"]) {
      const { token } = await open();
      await sql.unsafe(`update accounts.account set ${change} where account_id = '${accountId}'`);
      expect(await sessions().ofToken(token)).toBeUndefined();
      // Not even one that is opened while it happens.
      expect(await sessions().ofToken((await open()).token)).toBeUndefined();
      await sql`update accounts.account set status = 'open' where account_id = ${accountId}`;
      expect(await sessions().ofToken(token)).toBeUndefined();
    }
    const before = await open();
    await staff();
    expect(await sessions().ofToken(before.token)).toBeUndefined();
    const asStaff = await open(true);
    await sql`update accounts.account set roles = '{holder}' where account_id = ${accountId}`;
    expect(await sessions().ofToken(asStaff.token)).toBeUndefined();
    const last = await open();
    await sql`delete from accounts.account where account_id = ${accountId}`;
    expect(await sessions().ofToken(last.token)).toBeUndefined();
  });

  it("26: ends with all others of its account, but for one", async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    await endSessions(sql, accountId, { except: two.sessionId });
    const found = await Promise.all(
      [one, two, three].map(({ token }) => sessions().ofToken(token)),
    );
    expect(found.map((session) => session !== undefined)).toEqual([false, true, false]);
  });
});

it("other services may read sessions through the two functions, and nothing else", async () => {
  for (const table of ["account", "sign_in_session", "requested_mail", "attempt"]) {
    await expect(ledger.unsafe(`select from accounts.${table}`)).rejects.toMatchObject({
      code: "42501",
    });
  }
});
