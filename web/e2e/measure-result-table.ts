import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";

import { chromium } from "playwright-core";

import { productServices } from "../../infra/embedded/services/product-services.ts";
import { startPlatform } from "../../infra/embedded/start-platform.ts";
import { createTerminal } from "../../infra/embedded/terminal.ts";
import { findChromium } from "../../infra/quality/find-chromium.ts";
import { AnalystAnswers, visitAnalyst } from "./analyst-answers.ts";
import { newVisitor } from "./fixtures.ts";
import { texts } from "./texts.ts";

/**
 * The longest task of the page while the table of a result scrolls: `npm run measure:result-table`, or with another
 * number of rows behind it. Rows arrive as lines, in bytes, as the service sends them.
 */
const count = Number(process.argv[2] ?? 1_000_000);
const steps = 300;

const dataDir = await mkdtemp(join(tmpdir(), "result-table-"));
const platform = await startPlatform({
  dataDir,
  port: 0,
  logLevel: "warn",
  services: productServices.filter(({ name }) => name === "site"),
  terminal: createTerminal(() => undefined),
  signal: new AbortController().signal,
});
const browser = await chromium.launch(findChromium());
const { origin } = platform.runtime;
const stack = { origin, visit: (options = {}) => newVisitor(browser, origin, options) };

const answers = new AnalystAnswers();
const { page } = await visitAnalyst(stack, "/console/analyst", "en", answers);
const names = ["at", "page", "day", "visitors", "seconds"];
const types = ["UInt64", "String", "Date", "UInt64", "Float64"];
const meta = names.map((name, at) => ({ name, type: types[at] }));
const line = (at: number): string =>
  `{"row":["${at}","/page-${at % 97}","2026-03-${String((at % 28) + 1).padStart(2, "0")}","${(at * 7919) % 100_003}",${(at % 1000) / 7}]}`;
const rows = Array.from({ length: count }, (_, at) => line(at));
const body = [JSON.stringify({ meta }), ...rows].join("\n");
await page.context().route("**/queries.stream", (route) => route.fulfill({ body }));

const { analyst: t } = texts.en;
await page.evaluate(() => {
  const tasks: number[] = [];
  Object.assign(window, { tasks });
  new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask" });
});
const longest = async (): Promise<number> =>
  Number(await page.evaluate("Math.max(0, ...window.tasks.splice(0))"));

await page.getByRole("button", { name: t.first.countries }).click();
await page.getByRole("button", { name: t.run.run, exact: true }).click();
const grid = page.getByRole("grid");
await grid.waitFor({ timeout: 120_000 });
const loading = await longest();

await grid.evaluate(async (element, all) => {
  const frame = () => new Promise(requestAnimationFrame);
  const whole = element.scrollHeight;
  for (let step = 0; step < all; step += 1) {
    // From one end to the other, then in small steps.
    element.scrollTop = step < all / 2 ? (step / (all / 2)) * whole : element.scrollTop - 120;
    await frame();
  }
}, steps);
const scrolling = await longest();
await grid.focus();
for (const key of ["Control+End", "PageUp", "Control+Home", "ArrowUp", "Enter"])
  await page.keyboard.press(key);
await page
  .locator(".result-table[aria-busy=false] [aria-sort=ascending]")
  .waitFor({ timeout: 60_000 });
const sorting = await longest();
const shown = (milliseconds: number): string =>
  milliseconds === 0 ? "under 50" : milliseconds.toFixed(0);
stdout.write(
  `${count} rows: longest task in ms while loading ${shown(loading)}, scrolling ${shown(scrolling)}, by keys and sorting ${shown(sorting)}\n`,
);
await browser.close();
await platform.stop();
await rm(dataDir, { recursive: true, force: true });
