import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { requireWritable, Unwritable } from "./writable.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "writable-"));
});
afterAll(() => rm(root, { recursive: true }));

describe("a directory that can be written", () => {
  it("is made where it is missing, for its owner only, and stays empty", async () => {
    const directory = join(root, "a", "spool");
    await requireWritable(directory, "SPOOL_DIR");
    await requireWritable(directory, "SPOOL_DIR");
    expect(await readdir(directory)).toEqual([]);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });
});

describe("a directory that cannot", () => {
  it("is named in one line, with the reason and what to do", async () => {
    const file = join(root, "file");
    await writeFile(file, "");
    await expect(requireWritable(join(file, "spool"), "SPOOL_DIR")).rejects.toThrow(
      `Nothing can be written to ${join(file, "spool")}: a part of the path is a file (ENOTDIR).`,
    );
    await expect(requireWritable(file, "SPOOL_DIR")).rejects.toThrow(
      `Nothing can be written to ${file}: a file has this name (EEXIST). Make it writable, or set SPOOL_DIR to another place.`,
    );
  });

  it.each([
    ["EROFS", "the disk is read-only (EROFS). Make it writable, or", false],
    ["EACCES", "this user may not write there (EACCES). Make it writable, or", false],
    ["ENOSPC", "the disk is full (ENOSPC). Free some space, or", true],
    ["EDQUOT", "the user's share of the disk is used up (EDQUOT). Free some space, or", true],
    ["EMFILE", "the system refuses (EMFILE). Make it writable, or", false],
  ])("states what %s means", (code, sentence, isFull) => {
    const error = new Unwritable("/data", "DATA_DIR", Object.assign(new Error("quoted"), { code }));
    expect(error.message).toBe(
      `Nothing can be written to /data: ${sentence} set DATA_DIR to another place.`,
    );
    expect(error.isFull).toBe(isFull);
  });
});
