import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";

import { signingKey } from "../crypto/signed-text.ts";
import { openSignedLog } from "./signed-log.ts";

const contract = z.strictObject({ name: z.string() });
const key = signingKey(randomBytes(32));
let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signed-log-"));
  file = join(directory, "log.jsonl");
});
afterEach(() => rm(directory, { recursive: true }));

const open = (by = key, purpose = "test log") =>
  openSignedLog(file, { key: by, purpose, contract });

async function threeLines(): Promise<string[]> {
  for (const name of ["a", "b", "c"]) await open().append({ name });
  return (await readFile(file, "utf8")).split("\n");
}

it("has what was added, in its order", async () => {
  expect(await open().read()).toEqual([]);
  await threeLines();
  expect(await open().read()).toEqual([{ name: "a" }, { name: "b" }, { name: "c" }]);
});

it("names the line that was changed, and is not continued", async () => {
  const [first = "", second = "", ...rest] = await threeLines();
  await writeFile(file, [first, second.replace('"b"', '"x"'), ...rest].join("\n"));
  await expect(open().read()).rejects.toThrow("line 2 of test log was changed");
  await expect(open().append({ name: "d" })).rejects.toThrow("line 2 of test log");
});

it("notices lines that were removed or exchanged", async () => {
  const [first, second, third] = await threeLines();
  for (const lines of [
    [first, third, ""],
    [second, third, ""],
    [second, first, third, ""],
  ]) {
    await writeFile(file, lines.join("\n"));
    await expect(open().read()).rejects.toThrow("does not follow the line before it");
  }
});

it("is read under its own key and purpose alone", async () => {
  await threeLines();
  await expect(open(signingKey(randomBytes(32))).read()).rejects.toThrow("another key");
  await expect(open(key, "other log").read()).rejects.toThrow("line 1 of other log");
});

it("drops what a crash left of a line, and goes on", async () => {
  const lines = await threeLines();
  await writeFile(file, `${lines.join("\n")}{"entry":{"numb`);
  await open().append({ name: "d" });
  expect((await open().read()).map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
});
