import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { publish } from "./publish.ts";

test("a new build replaces pages at once and leaves the assets of open pages for a day", async () => {
  const root = await mkdtemp(join(tmpdir(), "publish-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const [staging, dist] = [join(root, "staging"), join(root, "dist")];
  const now = Date.now();
  for (const folder of [
    join(staging, "assets"),
    join(staging, "en"),
    join(dist, "assets"),
    join(dist, "en"),
  ]) {
    await mkdir(folder, { recursive: true });
  }
  await writeFile(join(staging, "assets/main-new.js"), "new");
  await writeFile(join(staging, "en/index.html"), "new page");
  await writeFile(join(dist, "en/index.html"), "old page");
  await writeFile(join(dist, "en/removed.html"), "old page");
  await writeFile(join(dist, ".stamp"), "kept");
  await writeFile(join(dist, "assets/main-recent.js"), "recent");
  await writeFile(join(dist, "assets/main-ancient.js"), "ancient");
  const twoDaysAgo = (now - 2 * 24 * 60 * 60 * 1000) / 1000;
  await utimes(join(dist, "assets/main-ancient.js"), twoDaysAgo, twoDaysAgo);
  await publish(staging, dist, now);
  expect(await readFile(join(dist, "en/index.html"), "utf8")).toBe("new page");
  const files = await readdir(dist, { recursive: true });
  expect(files.toSorted()).toEqual([
    ".stamp",
    "assets",
    "assets/main-new.js",
    "assets/main-recent.js",
    "en",
    "en/index.html",
  ]);
});
