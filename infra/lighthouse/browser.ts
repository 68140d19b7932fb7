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

/**
 * A browser that others can steer through `port`. Without a window where it can be had: on few
 * processors a window's own work (toolbar, offer to translate) would be measured with the page.
 */
export async function startBrowser(): Promise<RunningBrowser> {
  const port = await freePort();
  const found = findChromium();
  const browser = await chromium.launch({
    ...found,
    args: [...found.args, `--remote-debugging-port=${port}`],
  });
  return { port, close: () => browser.close() };
}
