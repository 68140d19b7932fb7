import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { FileStore } from "./file-store.ts";
import { fileStoreEnv, openFileStore } from "./open-file-store.ts";
import { openS3Store } from "./s3-store.ts";
import { bucketCredentials, startBucket } from "./testing/bucket-server.ts";

let directory: string;
let bucket: Awaited<ReturnType<typeof startBucket>>;
beforeAll(async () => {
  [directory, bucket] = [await mkdtemp(join(tmpdir(), "files-")), await startBucket()];
});
afterAll(async () => {
  await bucket.stop();
  await rm(directory, { recursive: true });
});

const defaults = {
  FILES_REGION: bucketCredentials.region,
  FILES_ACCESS_KEY_ID: bucketCredentials.accessKeyId,
  FILES_SECRET_ACCESS_KEY: bucketCredentials.secretAccessKey,
};
const stores: Readonly<Record<string, () => FileStore>> = {
  directory: () => openFileStore({ ...defaults, FILES_URL: pathToFileURL(directory).href }),
  bucket: () => openFileStore({ ...defaults, FILES_URL: `s3+${bucket.bucketUrl}` }),
};
const opened = (kind: string): FileStore => {
  const open = stores[kind];
  if (open === undefined) throw new Error(kind);
  return open();
};
async function namesIn(store: FileStore, folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(folder)) names.push(name);
  return names.toSorted();
}

describe.each(["directory", "bucket"])("files in a %s", (kind) => {
  it("are read as they were written, replaced, and removed more than once", async () => {
    const store = opened(kind);
    const content = Buffer.from([0, 255, 10, 13, 128]);
    await store.write("links/one", Buffer.from("first"));
    await store.write("links/one", content);
    expect(await store.read("links/one")).toEqual(content);
    await store.remove("links/one");
    await store.remove("links/one");
    expect(await store.read("links/one")).toBeUndefined();
  });

  it("are listed by folder, with when they were written", async () => {
    const store = opened(kind);
    const names = ["links/a", "links/b", "links/c", "links/d", "links/e"];
    for (const name of [...names, "other/f"]) await store.write(name, Buffer.from(name));
    expect(await namesIn(store, "links")).toEqual(names);
    expect(await namesIn(store, "none")).toEqual([]);
    for await (const { changedMs } of store.list("links"))
      expect(Math.abs(Date.now() - changedMs)).toBeLessThan(60_000);
  });

  it("cannot have names that lead elsewhere", async () => {
    for (const name of [
      "../x",
      "links/../x",
      "/etc/passwd",
      "links//x",
      "Links/x",
      "links/x.txt",
      "",
    ])
      await expect(opened(kind).write(name, Buffer.from("x"))).rejects.toThrow("invalid_format");
  });
});

describe("a bucket", () => {
  it("refuses other credentials, and says no more than the status", async () => {
    const other = openS3Store({ ...bucketCredentials, ...bucket, secretAccessKey: "another" });
    await expect(other.write("links/x", Buffer.from("x"))).rejects.toThrow(
      "The file store answers PUT with 403",
    );
  });

  it("that is overloaded for a moment is asked again", async () => {
    const store = opened("bucket");
    bucket.failNext(2);
    await store.write("links/again", Buffer.from("again"));
    expect(bucket.objects.has("production/links/again")).toBe(true);
  });

  it("is not opened without credentials, nor from another kind of address", () => {
    const settings = { ...defaults, FILES_URL: "s3+https://s3.example/files" };
    expect(() => openFileStore({ ...settings, FILES_ACCESS_KEY_ID: "" })).toThrow(
      "FILES_ACCESS_KEY_ID",
    );
    expect(fileStoreEnv.FILES_URL.safeParse("https://s3.example/files").success).toBe(false);
  });
});
