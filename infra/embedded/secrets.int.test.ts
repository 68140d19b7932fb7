import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { rememberedSecrets } from "./secrets.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(() => directory.remove());

test("secrets are made once, each different, 32 bytes long", async () => {
  const secrets = await rememberedSecrets(directory.path);
  const values = Object.values(secrets);
  expect(new Set(values).size).toBe(values.length);
  for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
  expect(await rememberedSecrets(directory.path)).toEqual(secrets);
});

test("a secret that a later version needs is added; the others stay", async () => {
  const { internalToken, ...older } = await rememberedSecrets(directory.path);
  const file = join(directory.path, "secrets.json");
  await writeFile(file, JSON.stringify(older));
  const newer = await rememberedSecrets(directory.path);
  expect(newer).toMatchObject(older);
  expect(newer.internalToken).not.toBe(internalToken);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(newer);
});

test("a damaged file is an error, and not replaced: the stores know the old secrets", async () => {
  const file = join(directory.path, "secrets.json");
  await writeFile(file, '{"postgresPassword":"short"}');
  await expect(rememberedSecrets(directory.path)).rejects.toThrow("postgresPassword");
  expect(await readFile(file, "utf8")).toBe('{"postgresPassword":"short"}');
});
