import { randomBytes } from "node:crypto";

import { SealBroken } from "@pro-talent/platform/crypto/seal";
import { EpochUnknown } from "@pro-talent/platform/keys/key-store";
import { openVaultKeyStore } from "@pro-talent/platform/keys/vault-key-store";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { createTestLedger, type TestLedger } from "../../testing/create-test-ledger.ts";
import { openSubjects } from "../subjects.ts";
import { log } from "../testing/ledger-workers.ts";
import { openKeyring } from "./keyring.ts";
import { startVault, type TestVault } from "./testing/start-vault.ts";
import { turnEpochs } from "./turn-epochs.ts";

const token = "hvs.the-token-of-the-tests";
const at = instantFromMs(0);
const key = randomBytes(32);
let vault: TestVault;

beforeAll(async () => {
  vault = await startVault(token);
});
afterAll(() => vault.stop());

const open = (prefix: string, given = token, url = vault.url) =>
  openVaultKeyStore({ url, token: given, prefix, setting: "LEDGER_KEY_STORE" });

describe("a key store in Vault", () => {
  it("has one transit key for each epoch, beside those of others, and wraps for one subject", async () => {
    const store = open("a");
    expect(await store.epochs()).toEqual([]);
    const first = await store.begin(at, undefined);
    await open("other").begin(at, undefined);
    const second = await store.begin(at, first.id);
    expect(await store.begin(at, first.id)).toEqual(second);
    expect((await open("a").epochs()).map(({ id }) => id)).toEqual([first.id, second.id]);
    const wrapped = await store.wrap(first.id, key, "noa");
    expect(wrapped.toString()).toMatch(/^vault:v1:/u);
    expect(await open("a").unwrap(first.id, wrapped, "noa")).toEqual(key);
    for (const [id, boundTo] of [
      [first.id, "dan"],
      [second.id, "noa"],
    ] as const) {
      await expect(store.unwrap(id, wrapped, boundTo)).rejects.toThrow(SealBroken);
    }
    await expect(store.unwrap(first.id, Buffer.from("nothing"), "noa")).rejects.toThrow(SealBroken);
  });

  it("destroys a key for good: no later call brings it back", async () => {
    const [store, other] = [open("b"), open("b")];
    const { id } = await store.begin(at, undefined);
    const wrapped = await other.wrap(id, key, "noa");
    await store.destroy(id);
    await store.destroy(id);
    expect(vault.names()).not.toContain(`b-${id}`);
    await expect(other.unwrap(id, wrapped, "noa")).rejects.toThrow(EpochUnknown);
    await expect(store.wrap(id, key, "noa")).rejects.toThrow(EpochUnknown);
    expect(await other.epochs()).toEqual([]);
    await expect(other.wrap(id, key, "noa")).rejects.toThrow(EpochUnknown);
    expect(vault.names()).not.toContain(`b-${id}`);
  });

  it("is not usable with a wrong token, another mount, sealed, or away; no error says the token", async () => {
    const { id } = await open("c").begin(at, undefined);
    const elsewhere = new URL(vault.url);
    elsewhere.pathname = "/nothing";
    const away = new URL("http://127.0.0.1:1/transit");
    for (const store of [open("c", "wrong"), open("c", token, elsewhere), open("c", token, away)]) {
      for (const ask of [
        () => store.epochs(),
        () => store.begin(at, id),
        () => store.destroy(id),
      ]) {
        const error: unknown = await ask().catch((reason: unknown) => reason);
        expect(error).toMatchObject({ settings: ["LEDGER_KEY_STORE"] });
        expect(JSON.stringify(error) + String(error)).not.toContain(token);
      }
    }
    vault.seal(true);
    await expect(open("c").epochs()).rejects.toMatchObject({ settings: ["LEDGER_KEY_STORE"] });
    vault.seal(false);
    expect(await open("c").epochs()).toHaveLength(1);
  });
});

describe("a ledger whose keys are in Vault", () => {
  let ledger: TestLedger;
  beforeAll(async () => {
    ledger = await createTestLedger();
  });
  afterAll(() => ledger.drop());

  it("seals, turns its epochs, and opens what was sealed before", async () => {
    const keys = { ...ledger.testKeys.keys, store: open("ledger") };
    const subjects = openSubjects(ledger.sql, openKeyring({ sql: ledger.sql, keys, log }));
    const made = await subjects.withAddress("test.subscriber", "noa@example.com");
    const sealed = made.seal({ email: "noa@example.com" });
    const [first] = await keys.store.epochs();
    const { keeper } = ledger;
    const periods = { epochDays: 14, overlapDays: 31, keyBackupDays: 14 };
    for (const days of [13.5, 14.5, 45.5]) {
      const now = async (): Promise<number> => Date.now() + days * 24 * 60 * 60 * 1000;
      await turnEpochs({ keeper, keys, periods, log, now });
    }
    expect(await keys.store.epochs()).not.toContainEqual(first);
    const again = await subjects.withAddress("test.subscriber", "noa@example.com");
    expect(again.open(sealed.bytes, z.object({ email: z.string() }))).toEqual({
      email: "noa@example.com",
    });
  });
});
