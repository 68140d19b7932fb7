import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { SealBroken } from "../crypto/seal.ts";
import { describeFailure } from "../runtime/run-command.ts";
import { openFileKeyStore } from "./file-key-store.ts";
import { EpochUnknown, KeysUnavailable } from "./key-store.ts";

let directory: string;
let file: string;
const wrappingKey = randomBytes(32);
const key = randomBytes(32);
const at = instantFromMs(Date.UTC(2026, 0, 1));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "key-store-"));
  file = join(directory, "keys.json");
});
afterEach(() => rm(directory, { recursive: true }));

const open = (present = wrappingKey, ...former: Buffer[]) =>
  openFileKeyStore(file, [present, ...former], {
    boundTo: "test key store",
    wrappingKey: "TEST_KEY",
    store: "TEST_KEY_STORE",
  });

describe("a file of epoch keys", () => {
  it("wraps for one epoch and one subject, in every process that opens it", async () => {
    const store = open();
    const first = await store.begin(at, undefined);
    const second = await store.begin(at, first.id);
    const wrapped = await store.wrap(first.id, key, "noa");
    const elsewhere = open();
    expect(await elsewhere.unwrap(first.id, wrapped, "noa")).toEqual(key);
    await expect(elsewhere.unwrap(first.id, wrapped, "dan")).rejects.toThrow(SealBroken);
    await expect(elsewhere.unwrap(second.id, wrapped, "noa")).rejects.toThrow(SealBroken);
    expect((await elsewhere.epochs()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(second.begunAt > first.begunAt).toBe(true);
  });

  it("is readable for its owner alone and holds no key in the clear", async () => {
    const store = open();
    const { id } = await store.begin(at, undefined);
    const wrapped = await store.wrap(id, key, "noa");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, "utf8");
    const [, sealed = ""] = /"sealed":"([^"]+)"/u.exec(text) ?? [];
    expect(sealed).not.toBe("");
    expect(text + Buffer.from(sealed, "base64").toString("latin1")).not.toContain(id);
    expect(await open().unwrap(id, wrapped, "noa")).toEqual(key);
  });

  it("has nothing left of a destroyed key, neither in the file nor for a process that had read it", async () => {
    const [one, other] = [open(), open()];
    const first = await one.begin(at, undefined);
    const wrapped = await one.wrap(first.id, key, "noa");
    await other.unwrap(first.id, wrapped, "noa");
    const second = await one.begin(at, first.id);
    await one.destroy(first.id);
    await one.destroy(first.id);
    expect(await other.epochs()).toEqual([second]);
    for (const store of [one, other, open()]) {
      await expect(store.unwrap(first.id, wrapped, "noa")).rejects.toThrow(EpochUnknown);
    }
  });

  it("begins one epoch after another, also when many processes ask for it at once", async () => {
    const first = await open().begin(at, undefined);
    const asked = Array.from({ length: 8 }, () => open().begin(at, first.id));
    expect(new Set((await Promise.all(asked)).map(({ id }) => id)).size).toBe(1);
    expect(await open().epochs()).toHaveLength(2);
  });

  it("opens under a former wrapping key, and is put under the present one once", async () => {
    const former = open();
    const { id } = await former.begin(at, undefined);
    const wrapped = await former.wrap(id, key, "noa");
    const present = randomBytes(32);
    const store = open(present, wrappingKey);
    expect(await store.unwrap(id, wrapped, "noa")).toEqual(key);
    expect([await store.renew(), await store.renew()]).toEqual([true, false]);
    expect(await open(present).unwrap(id, wrapped, "noa")).toEqual(key);
    await expect(open().epochs()).rejects.toMatchObject({ settings: ["TEST_KEY"] });
  });

  it("opens with no other key, and not when it was damaged; it is left as it is", async () => {
    await open().begin(at, undefined);
    const text = await readFile(file, "utf8");
    const other = open(randomBytes(32));
    const asks = [() => other.epochs(), () => other.begin(at, undefined), () => other.renew()];
    for (const ask of asks) {
      await expect(ask()).rejects.toMatchObject({ settings: ["TEST_KEY"] });
    }
    expect(await readFile(file, "utf8")).toBe(text);
    for (const damaged of ["", "{}", text.replace(/.{8}"\}$/u, 'AAAAAAAA"}')]) {
      await writeFile(file, damaged);
      await expect(open().epochs()).rejects.toThrow(KeysUnavailable);
      await expect(open().begin(at, undefined)).rejects.toThrow(KeysUnavailable);
      expect(await readFile(file, "utf8")).toBe(damaged);
    }
  });

  it("is whole after a crash at any step of a change", async () => {
    const first = await open().begin(at, undefined);
    // What a process leaves that ends before it renames.
    await writeFile(`${file}.new`, '{"format":1');
    expect(await open().epochs()).toEqual([first]);
    const second = await open().begin(at, first.id);
    expect(await open().epochs()).toEqual([first, second]);
  });

  it("that cannot be written is an error whose cause names the setting and the place", async () => {
    await writeFile(join(directory, "file"), "");
    file = join(directory, "file", "keys.json");
    const failed = open().begin(at, undefined);
    await expect(failed).rejects.toBeInstanceOf(KeysUnavailable);
    expect(describeFailure(await failed.catch((error: unknown) => error))).toBe(
      `Nothing can be written to ${join(directory, "file")}: a file has this name (EEXIST). Make it writable, or set TEST_KEY_STORE to another place.`,
    );
  });

  it("is not opened with keys of another length", () => {
    expect(() => open(Buffer.alloc(31))).toThrow("32 bytes");
  });
});
