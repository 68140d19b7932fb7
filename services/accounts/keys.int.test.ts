import { randomBytes } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { unseal } from "@pro-talent/platform/crypto/seal";
import { dataKeyTurn } from "@pro-talent/platform/keys/data-key-epochs";
import { EpochUnknown } from "@pro-talent/platform/keys/key-store";
import { turnEpochs } from "@pro-talent/platform/keys/turn-epochs";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { readHolder } from "./accounts.ts";
import { dataKeyPlace, readKeySettings } from "./key-settings.ts";
import { openAccountKeys } from "./keys.ts";
import { followAccountsKey } from "./service-secret.ts";
import {
  type AccountsUnderTest,
  goodPassword,
  openAccountsUnderTest,
  tokenOf,
} from "./testing/accounts-under-test.ts";
import { forgetEnded } from "./worker-app.ts";

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;
const log = createLogger({ service: "test", level: "silent" });

let accounts: AccountsUnderTest;
let startMs: number;
beforeEach(async () => {
  accounts = await openAccountsUnderTest();
  startMs = accounts.context.clock();
});
afterEach(() => accounts.drop());

const settings = () => readKeySettings(accounts.keySource);
const turnOn = (days: number) => {
  const periods = { epochDays: 14, overlapDays: 31, keyBackupDays: 14 };
  const clock = () => startMs + days * day;
  return turnEpochs(
    dataKeyTurn({ sql: accounts.sql, ...dataKeyPlace(settings()), periods, clock, log }),
  );
};

type KeyRow = { key_id: string; wrapped: Buffer; epoch_id: string };
const keyRows = () =>
  accounts.sql<KeyRow[]>`select key_id, wrapped, epoch_id from accounts.data_key order by key_id`;
const accountIdOf = async (token: string): Promise<string> =>
  (await accounts.call("GET /api/account", { token })).json<{ accountId: string }>().accountId;

/** What was sealed of an account, with its key, as a backup of the database has it. */
async function backUp(accountId: string) {
  const [row] = await accounts.sql<(KeyRow & { sealed_email: Buffer })[]>`
    select k.*, a.sealed_email from accounts.data_key k join accounts.account a using (account_id)
     where account_id = ${accountId}`;
  if (row === undefined) throw new Error("There is no such account");
  const open = async (): Promise<string> => {
    const key = await settings().store.unwrap(row.epoch_id, row.wrapped, row.key_id);
    return unseal(key, row.sealed_email, accountId).toString();
  };
  return { open };
}

describe("the key of an account", () => {
  it("is gone with the account, and a backup opens no later than its epoch's key is destroyed", async () => {
    const noa = await accountIdOf(await accounts.join("noa@example.com"));
    const dan = await accountIdOf(await accounts.join("dan@example.com"));
    const backup = await backUp(noa);
    const owner = openPool(accounts.ownerUrl, { max: 1, applicationName: "test" });
    await owner`delete from accounts.account where account_id = ${noa}`;
    await owner.end();
    expect((await keyRows()).map(({ key_id: id }) => id)).not.toContain(noa);
    for (const days of [12.9, 13, 14.1, 44.9]) await turnOn(days);
    expect(await backup.open()).toContain("noa@example.com");
    await turnOn(45);
    await expect(backup.open()).rejects.toThrow(EpochUnknown);
    expect(
      await accounts.sql`select from accounts.ended_epoch where destroyed_at is not null`,
    ).toHaveLength(1);
    // Who is still there has lost nothing.
    const keys = await openAccountKeys(accounts.sql, settings(), startMs);
    expect(await readHolder(accounts.sql, keys, dan)).toMatchObject({ email: "dan@example.com" });
  });

  it("opens no other account, and a stored one opens nothing without ACCOUNTS_KEY", async () => {
    const noa = await accountIdOf(await accounts.join("noa@example.com"));
    const dan = await accountIdOf(await accounts.join("dan@example.com"));
    const { keys } = accounts.context;
    const sealer = await keys.sealerOf(accounts.sql, dan);
    const [row] = await accounts.sql<{ sealed_email: Buffer }[]>`
      select sealed_email from accounts.account where account_id = ${noa}`;
    expect(() => sealer.unseal(row?.sealed_email ?? Buffer.of(), noa)).toThrow("cannot be opened");
    const other = readKeySettings({
      ...accounts.keySource,
      ACCOUNTS_KEY: randomBytes(32).toString("hex"),
    });
    await expect(openAccountKeys(accounts.sql, other, startMs)).rejects.toMatchObject({
      settings: ["ACCOUNTS_KEY"],
    });
    await expect(other.store.epochs()).rejects.toMatchObject({ settings: ["ACCOUNTS_KEY"] });
  });

  it("of a mail to an address without an account is deleted after the mail and its link", async () => {
    const body = { email: "new@example.com", language: "en" };
    await accounts.call("POST /api/account/registration", { body });
    await accounts.mails();
    await forgetEnded(accounts.sql, startMs + 2 * hour);
    expect(await keyRows()).toHaveLength(1);
    await forgetEnded(accounts.sql, startMs + 32 * day);
    expect(await keyRows()).toHaveLength(0);
  });
});

describe("ACCOUNTS_KEY", () => {
  const program = new URL("keys.cli.ts", import.meta.url);
  const command = (env: Record<string, string>, ...args: readonly string[]) =>
    runHere(program, args, { DATABASE_OWNER_URL: accounts.ownerUrl, ...env });

  it("is replaced by a command that can be repeated; afterwards the former one opens nothing", async () => {
    await accounts.join("noa@example.com");
    const file = fileURLToPath(accounts.keySource["ACCOUNTS_KEY_STORE"] ?? "");
    await copyFile(file, `${file}.before`);
    const fresh = { ...accounts.keySource, ACCOUNTS_KEY: randomBytes(32).toString("hex") };
    const both = { ...fresh, ACCOUNTS_KEY_PREVIOUS: accounts.keySource["ACCOUNTS_KEY"] ?? "" };
    expect(await command(both, "--check")).toMatchObject({
      code: 1,
      output:
        "Under a former ACCOUNTS_KEY: the secret of the service\nUnder a former ACCOUNTS_KEY: the key store\n",
    });
    const done = { code: 0, output: "Everything is under the present ACCOUNTS_KEY.\n" };
    expect(await command(both, "rewrap")).toMatchObject(done);
    expect(await command(both, "rewrap")).toMatchObject(done);
    expect(await command(fresh, "--check")).toMatchObject(done);
    const former = { DATABASE_OWNER_URL: accounts.ownerUrl, ...accounts.keySource };
    expect((await runProgram(program, ["--check"], former)).code).toBe(1);
  });

  it("is half replaced when the command was killed between the two, and completed by the next one", async () => {
    const former = accounts.keySource["ACCOUNTS_KEY"] ?? "";
    const fresh = { ...accounts.keySource, ACCOUNTS_KEY: randomBytes(32).toString("hex") };
    const both = readKeySettings({ ...fresh, ACCOUNTS_KEY_PREVIOUS: former });
    const killed = async (): Promise<never> => Promise.reject(new Error("killed"));
    const half = { ...both, store: { ...both.store, renew: killed } };
    await expect(followAccountsKey(accounts.sql, half)).rejects.toThrow("killed");
    const env = { ...fresh, ACCOUNTS_KEY_PREVIOUS: former };
    expect(await command(env, "--check")).toMatchObject({
      code: 1,
      output: "Under a former ACCOUNTS_KEY: the key store\n",
    });
    expect(await command(env, "rewrap")).toMatchObject({ code: 0 });
  });

  it("is replaced while people sign in, and none is refused", async () => {
    await accounts.join("noa@example.com");
    const body = { email: "noa@example.com", password: goodPassword };
    let isOver = false;
    let signedIn = 0;
    const signIn = async (): Promise<void> => {
      while (!isOver) {
        const token = tokenOf(await accounts.call("POST /api/account/sign-in", { body }));
        expect((await accounts.call("GET /api/account", { token })).json()).toMatchObject({
          email: "noa@example.com",
        });
        signedIn += 1;
      }
    };
    const people = [signIn(), signIn(), signIn()];
    let former = accounts.keySource["ACCOUNTS_KEY"] ?? "";
    for (let turn = 0; turn < 5; turn += 1) {
      const fresh = randomBytes(32).toString("hex");
      const env = { ...accounts.keySource, ACCOUNTS_KEY: fresh, ACCOUNTS_KEY_PREVIOUS: former };
      const both = readKeySettings(env);
      await followAccountsKey(accounts.sql, both);
      // A process that starts with the new key finds the accounts of the former one.
      const keys = await openAccountKeys(accounts.sql, both, startMs);
      expect(keys.addressHash(body.email)).toEqual(accounts.context.keys.addressHash(body.email));
      former = fresh;
      const before = signedIn;
      while (signedIn < before + 3) await Promise.race([...people, new Promise(setImmediate)]);
    }
    isOver = true;
    await Promise.all(people);
    expect(signedIn).toBeGreaterThanOrEqual(15);
  });
});
