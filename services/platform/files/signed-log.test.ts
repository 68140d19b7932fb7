import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";

import { signingKey } from "../crypto/signed-text.ts";
import { endOf, openSignedLog, reaches } from "./signed-log.ts";

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

it("names the line that was changed, and is not continued by a process that reads it", async () => {
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

it("shows that its last lines were cut off, against an end that was recorded elsewhere", async () => {
  const lines = await threeLines();
  const end = endOf(await open().lines());
  expect(reaches(await open().lines(), end)).toBe(true);
  await open().append({ name: "d" });
  expect(reaches(await open().lines(), end)).toBe(true);
  await writeFile(file, `${lines.slice(0, 2).join("\n")}\n`);
  expect(reaches(await open().lines(), end)).toBe(false);
  await open().append({ name: "other" });
  expect(reaches(await open().lines(), end)).toBe(false);
});

it("is not continued by a writer that knew more lines", async () => {
  const writer = open();
  for (const name of ["a", "b"]) await writer.append({ name });
  const [first] = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, `${first}\n`);
  await expect(writer.append({ name: "c" })).rejects.toThrow("was cut since it was read");
});

it("has every line of several writers at once", async () => {
  const writers = Array.from({ length: 4 }, () => open());
  await Promise.all(
    writers.flatMap((writer, n) =>
      Array.from({ length: 5 }, (_, m) => writer.append({ name: `${n} ${m}` })),
    ),
  );
  expect(new Set((await open().read()).map(({ name }) => name)).size).toBe(20);
});
