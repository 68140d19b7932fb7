import { join } from "node:path";

import { createServer } from "vite";
import { expect, test } from "vitest";

import accountEn from "../../i18n/en/account.json" with { type: "json" };
import { closeContexts, sharedBrowser } from "../kept-contexts.ts";
import { texts } from "../texts.ts";

const pages = [
  ["/login?next=%2Fcv", accountEn.signIn.title],
  ["/dashboard", accountEn.signIn.title],
  ["/about", texts.en.about.title],
] as const;

test("`npm run dev` serves the public pages and the signed-in area", async () => {
  const server = await createServer({
    configFile: join(import.meta.dirname, "../../vite.config.ts"),
    logLevel: "silent",
    // Apart from the cache of a development server that may run.
    cacheDir: join(import.meta.dirname, "../../node_modules/.vite-journey"),
    server: { port: 0, host: "127.0.0.1", proxy: {}, hmr: false },
  });
  await server.listen();
  const [origin = ""] = server.resolvedUrls?.local ?? [];
  const browser = await sharedBrowser();
  const page = await browser.newPage({ baseURL: origin });
  for (const [path, title] of pages) {
    await page.goto(path);
    const heading = page.getByRole("main").getByRole("heading", { level: 1 });
    await heading.waitFor({ timeout: 60_000 });
    expect(await heading.innerText()).toBe(title);
  }
  await closeContexts();
  await server.close();
});
