import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import {
  asRole,
  createTestPostgres,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { findCredentials, isTaken, readHolder, writeProfile } from "./accounts.ts";
import { deliverMails } from "./deliver-mails.ts";
import { useTotpCode } from "./factors/authenticators.ts";
import { Passkeys } from "./factors/passkeys.ts";
import { totpCode, totpStep } from "./factors/totp.ts";
import { type KeySettings, readKeySettings } from "./key-settings.ts";
import { openAccountKeys } from "./keys.ts";
import { findMailToken } from "./mail-tokens.ts";
import { migrateAccounts } from "./migrate.ts";
import { countFormerSeals, sealAnew } from "./seal-anew.ts";
import { watchStatements } from "./testing/accounts-under-test.ts";
import { addFormerAccount, type Former, migrateTo0002 } from "./testing/version-0002.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const accountsKey = randomBytes(32);
const password = "violet-harbour-93";

let database: TestPostgres;
let directory: string;
let sql: Sql;
let former: Former[];

beforeEach(async () => {
  database = await createTestPostgres();
  directory = await mkdtemp(join(tmpdir(), "accounts-"));
  await migrateTo0002(database.ownerUrl);
  sql = openPool(asRole(database.ownerUrl, "accounts_app"), { max: 4, applicationName: "test" });
  former = [];
  for (const name of ["noa", "dan", "tamar"]) {
    const account = { email: `${name}@example.com`, password, handle: `${name}-levi` };
    former.push(await addFormerAccount(sql, accountsKey, account));
  }
  await migrateAccounts(database.ownerUrl);
});
afterEach(async () => {
  await sql.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

const settings = (key = accountsKey): KeySettings =>
  readKeySettings({
    ACCOUNTS_KEY: key.toString("hex"),
    ACCOUNTS_KEY_STORE: pathToFileURL(join(directory, "keys.json")).href,
  });

async function expectIntact(): Promise<void> {
  const keys = await openAccountKeys(sql, settings(), nowMs);
  const passwords = openPasswords(keys.pepper);
  for (const { accountId, email, totpSecret, resetToken } of former) {
    const found = await findCredentials(sql, keys.addressHash(email));
    expect(found).toMatchObject({ accountId, isOpen: true });
    expect(await passwords.verify(password, found?.passwordHash)).toBe(true);
    const holder = await readHolder(sql, keys, accountId);
    expect(holder).toMatchObject({
      email,
      hasPhoto: true,
      profile: {
        fullName: "Noa Levi",
        phone: "+972 50 555 0100",
        address: "12 Herzl Street",
        handle: `${email.split("@")[0]}-levi`,
      },
    });
    const code = totpCode(totpSecret, totpStep(nowMs));
    expect(await useTotpCode(sql, { accountId, code, keys, nowMs })).toBe(true);
    expect(await new Passkeys(keys).ofAccount(sql, accountId)).toMatchObject([
      { name: "my phone" },
    ]);
    const link = { token: resetToken, purposes: ["reset"], nowMs } as const;
    expect(await findMailToken(sql, keys, link)).toMatchObject({ accountId, email });
  }
}

describe("a database of the version that sealed under ACCOUNTS_KEY itself", () => {
  it("opens as before once it is sealed anew, and nothing in it opens with ACCOUNTS_KEY alone", async () => {
    const keys = await openAccountKeys(sql, settings(), nowMs);
    expect(await countFormerSeals(sql)).toBe(9);
    expect(await sealAnew(sql, keys, nowMs)).toBe(9);
    expect([await countFormerSeals(sql), await sealAnew(sql, keys, nowMs)]).toEqual([0, 0]);
    await expectIntact();
    const mailed: string[] = [];
    const mailer = {
      send: async ({ to }: { to: { address: string } }) => void mailed.push(to.address),
    };
    await deliverMails({ sql, keys, mailer, publicOrigin: "https://talent.example" }, nowMs);
    expect(mailed.toSorted()).toEqual(["dan@example.com", "noa@example.com", "tamar@example.com"]);
    // The handle is sealed, and still no other account can take one that looks like it.
    expect(await sql`select from accounts.account where handle is not null`).toHaveLength(0);
    const dan = former[1]?.accountId ?? "";
    const holder = await readHolder(sql, keys, dan);
    if (holder === undefined) throw new Error("The account is gone");
    const alike = { ...holder.profile, handle: "n0a-1evi" };
    const refused: unknown = await writeProfile(sql, keys, dan, alike).catch(
      (error: unknown) => error,
    );
    expect(isTaken(refused)).toBe(true);
  });

  it("is sealed anew by as many starts as it takes, whichever statement each ends at", async () => {
    let statements = 0;
    let endsAt = 0;
    const ending = watchStatements(sql, () => {
      statements += 1;
      if (statements > endsAt) throw new Error("killed");
    });
    let kills = 0;
    for (; ; kills += 1) {
      statements = 0;
      endsAt = 3 + kills;
      const start = async () =>
        sealAnew(ending, await openAccountKeys(ending, settings(), nowMs), nowMs);
      const error: unknown = await start().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) break;
      expect(error).toMatchObject({ message: "killed" });
    }
    expect(kills).toBeGreaterThan(10);
    expect(await countFormerSeals(sql)).toBe(0);
    await expectIntact();
  });

  it("is sealed anew once by two processes that start together", async () => {
    const start = async () => sealAnew(sql, await openAccountKeys(sql, settings(), nowMs), nowMs);
    const [one, other] = await Promise.all([start(), start()]);
    expect(one + other).toBe(9);
    await expectIntact();
  });

  it("refuses a key that is not its own, and changes nothing", async () => {
    await expect(openAccountKeys(sql, settings(randomBytes(32)), nowMs)).rejects.toMatchObject({
      settings: ["ACCOUNTS_KEY"],
    });
    expect(await sql`select from accounts.service_secret`).toHaveLength(0);
  });
});
