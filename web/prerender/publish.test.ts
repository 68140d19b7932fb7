import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { publish } from "./publish.ts";

const dayMs = 24 * 60 * 60 * 1000;

async function openFolders() {
  const root = await mkdtemp(join(tmpdir(), "publish-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const dist = join(root, "dist");
  await mkdir(join(dist, "assets"), { recursive: true });
  let releases = 0;
  const release = async (atMs: number, files: Readonly<Record<string, string>>): Promise<void> => {
    releases += 1;
    const staging = join(root, `staging-${releases}`);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(staging, name, ".."), { recursive: true });
      await writeFile(join(staging, name), text);
    }
    await publish(staging, dist, atMs);
  };
  const published = async (): Promise<string[]> => {
    const entries = await readdir(dist, { recursive: true, withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted();
  };
  return { dist, release, published };
}

test("a release replaces pages, and keeps the assets of open pages for seven days", async () => {
  const { dist, release, published } = await openFolders();
  await writeFile(join(dist, ".stamp"), "kept");
  const first = { "assets/main-1.js": "1", "en/index.html": "page 1", "en/removed.html": "page" };
  await release(0, first);
  // However long a release was public, its assets stay for seven days after the next one.
  await release(30 * dayMs, { "assets/main-2.js": "2", "en/index.html": "page 2" });
  expect(await readFile(join(dist, "en/index.html"), "utf8")).toBe("page 2");
  const both = [".retired.json", ".stamp", "index.html", "main-1.js", "main-2.js"];
  expect(await published()).toEqual(both);
  await release(36 * dayMs, { "assets/main-2.js": "2", "en/index.html": "page 2" });
  expect(await published()).toEqual(both);
  await release(37 * dayMs, { "assets/main-2.js": "2", "en/index.html": "page 2" });
  expect(await published()).toEqual(both.filter((name) => name !== "main-1.js"));
});

test("an asset that returns with a later release is no longer due to be removed", async () => {
  const { release, published } = await openFolders();
  await release(0, { "assets/a.js": "a" });
  await release(dayMs, { "assets/b.js": "b" });
  await release(2 * dayMs, { "assets/a.js": "a" });
  await release(9 * dayMs, { "assets/c.js": "c" });
  expect(await published()).toEqual([".retired.json", "a.js", "c.js"]);
});
