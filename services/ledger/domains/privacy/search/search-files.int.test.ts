import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type FileStore, openDirectoryStore } from "@pro-talent/platform/files/file-store";
import { searchDirectory } from "@pro-talent/platform/search/search-directory";
import { afterAll, beforeAll, expect, it } from "vitest";

import { searchFiles } from "./search-files.ts";

let directory: string;
let files: FileStore;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "searched-files-"));
  files = openDirectoryStore(directory);
});
afterAll(() => rm(directory, { recursive: true }));

it("a file that is left is found by its name, in each folder, and the planted ones are removed", async () => {
  const [fileId, requestId, other] = [randomUUID(), randomUUID(), randomUUID()];
  await files.write(`links/${fileId}`, Buffer.from("sealed"));
  await files.write(`links/${other}`, Buffer.from("sealed"));
  await files.write(`packages/${requestId}-${randomUUID()}`, Buffer.from("sealed"));
  const search = { values: [`packages/${requestId}-`], ids: [fileId] };
  const [found, none] = await searchFiles(files, [search, { values: [], ids: [randomUUID()] }]);
  expect(found).toEqual({ hits: 2, kept: 0, decoy: true, searched: 6 });
  expect(none).toMatchObject({ hits: 0, decoy: true });
  expect(await readdir(join(directory, "links"))).toHaveLength(2);
  expect(await readdir(join(directory, "packages"))).toHaveLength(1);
});

it("a store that takes no file cannot be searched", async () => {
  const refusing: FileStore = {
    ...files,
    write: async () => await Promise.reject(new Error("full")),
  };
  await expect(searchFiles(refusing, [{ values: [], ids: [randomUUID()] }])).rejects.toThrow(
    "full",
  );
});

it("a line of a log is found, and a directory that is gone is an error", async () => {
  const logs = await mkdtemp(join(tmpdir(), "searched-logs-"));
  const value = `${randomUUID()}@example.com`;
  const asLine = (text: string) => Buffer.from(`{"msg":${JSON.stringify(text)}}\n`);
  const search = async (text: string) =>
    (await searchDirectory(logs, asLine, [{ values: [text], ids: [] }]))[0];
  await writeFile(join(logs, "ledger.log"), asLine(`sent to ${encodeURIComponent(value)}`));
  expect(await search(value)).toMatchObject({ hits: 1, decoy: true });
  expect(await search(`other-${value}`)).toMatchObject({ hits: 0, decoy: true });
  await rm(logs, { recursive: true });
  await expect(search(value)).rejects.toThrow("ENOENT");
});
