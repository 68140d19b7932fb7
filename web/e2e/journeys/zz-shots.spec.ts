import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { test } from "vitest";
import { z } from "zod";

import { startOwnStack } from "../fixtures.ts";
import { accessibilityFaults, overflowFaults, targetFaults, faultFinder } from "../page-faults.ts";
import { texts } from "../texts.ts";

const out = "/tmp/pw-exp/shots";
mkdirSync(out, { recursive: true });
test("shots", async () => {
  const stack = await startOwnStack();
  try {
    await stack.operate("infra/embedded/demo.cli.ts");
    const demo: unknown = JSON.parse(await readFile(join(stack.dataDir, "demo.json"), "utf8"));
    const { password } = z.object({ password: z.string() }).parse(demo);
    for (const [who, language] of [
      ["premium", "en"],
      ["premium", "he"],
      ["free", "he"],
    ] as const) {
      const visitor = await stack.visit({ language });
      const { page } = visitor;
      await page.context().addInitScript(faultFinder);
      await page.goto(`/login?next=${encodeURIComponent("/portfolio")}`);
      await page.locator("[name=email]").fill(`${who}@demo.example`);
      await page.locator("[name=password]").fill(password);
      await page
        .getByRole("button", { name: texts[language].account.signIn.submit, exact: true })
        .press("Enter");
      await page.waitForURL("**/portfolio");
      const paths =
        who === "free"
          ? ["", "?page=en"]
          : ["", "?part=look", "?part=page", "?part=publish", "?part=opens", "?part=versions"];
      for (const path of paths)
        for (const scheme of ["light", "dark"] as const)
          for (const width of [1280, 360]) {
            if (path === "?part=page" && width === 1280) continue;
            if (scheme === "dark" && width === 360 && language === "he") continue;
            await page.emulateMedia({ colorScheme: scheme });
            await page.setViewportSize({ width, height: width === 360 ? 800 : 900 });
            await page.goto(`/portfolio${path}`);
            await page.locator("main h1").waitFor();
            await page.waitForTimeout(path === "?part=look" ? 6000 : 2500);
            await page.screenshot({
              path: `${out}/${who}-${language}-${path.replace(/\W+/g, "_") || "write"}-${scheme}-${width}.png`,
              fullPage: width === 360,
            });
            const faults = [
              ...(await overflowFaults(page)),
              ...(await targetFaults(page)),
              ...(await accessibilityFaults(page)),
            ];
            if (faults.length > 0) console.log(who, language, path, scheme, width, faults);
          }
      console.log(JSON.stringify(visitor.noise.slice(0, 20)));
      await visitor.leave();
    }
  } finally {
    await stack.stop();
  }
}, 600_000);
