import { statfs } from "node:fs/promises";
import { createServer } from "node:net";

import { chromium } from "playwright-core";

import { findChromium } from "../quality/find-chromium.ts";

export type RunningBrowser = { port: number; close: () => Promise<void> };

/** A port that nobody uses at this moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === "object" && address !== null) resolve(address.port);
        else reject(new Error("no free port"));
      });
    });
  });
}

/** Playwright's default and the tests': what the browser's processes share is kept in files. */
const onDisk = "--disable-dev-shm-usage";

/** Whether there is room for what the browser's processes share; containers often have 64 MB. */
async function hasSharedMemory(): Promise<boolean> {
  const { bsize, bavail } = await statfs("/dev/shm").catch(() => ({ bsize: 0, bavail: 0 }));
  return bsize * bavail >= 512 * 1024 * 1024;
}

/**
 * A browser that others can steer through `port`. Without a window where it can be had: on few
 * processors a window's own work (toolbar, offer to translate) would be measured with the page.
 * What its processes share stays in memory where there is room: files of it may wait for the disk.
 */
export async function startBrowser(): Promise<RunningBrowser> {
  const port = await freePort();
  const found = findChromium();
  const inMemory = await hasSharedMemory();
  const browser = await chromium.launch({
    ...found,
    args: [
      ...found.args.filter((arg) => !inMemory || arg !== onDisk),
      `--remote-debugging-port=${port}`,
    ],
    ignoreDefaultArgs: inMemory ? [onDisk] : [],
  });
  return { port, close: () => browser.close() };
}
