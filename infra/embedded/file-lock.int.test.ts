import { join } from "node:path";

import { LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { afterEach, beforeEach, expect, test } from "vitest";

import { startOwner } from "./testing/owner-process.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let file: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  file = join(directory.path, "lock");
});

afterEach(() => directory.remove());

test("only one at a time holds a lock, in this process too", () => {
  const lock = takeLock(file);
  expect(() => takeLock(file)).toThrow(LockHeld);
  lock.release();
  takeLock(file).release();
});

test("a lock of another living process is held, and free at once when that is killed", async () => {
  const owner = await startOwner("own-lock.ts", [file]);
  expect(() => takeLock(file)).toThrow(LockHeld);
  await owner.kill();
  takeLock(file).release();
  expect(owner.announced).toBe("taken");
});

test("a lock that cannot be made is an error of its own kind", () => {
  const taking = (): unknown => takeLock(join(directory.path, "missing", "lock"));
  expect(taking).toThrow("unable to open");
  expect(taking).not.toThrow(LockHeld);
});
