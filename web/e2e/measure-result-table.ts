import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { chromium } from "playwright-core";
import { z } from "zod";

import { productServices } from "../../infra/embedded/services/product-services.ts";
import { startPlatform } from "../../infra/embedded/start-platform.ts";
import { createTerminal } from "../../infra/embedded/terminal.ts";
import { findChromium } from "../../infra/quality/find-chromium.ts";
import { AnalystAnswers, visitAnalyst } from "./analyst-answers.ts";
import { newVisitor } from "./fixtures.ts";
import { texts } from "./texts.ts";

/**
 * The longest task of the page's main thread while the table of a result loads, scrolls and sorts:
 * `npm run measure:result-table`, or with another number of rows behind it. Rows arrive as lines over a connection, as
 * the service sends them: an answer that the browser makes up itself would come in one part. Beside the time that
 * passed it states how long the thread itself was busy: on a machine with other work a task also waits for a processor.
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
const names = ["at", "page", "day", "visitors", "seconds"];
const types = ["UInt64", "String", "Date", "UInt64", "Float64"];
const meta = names.map((name, at) => ({ name, type: types[at] }));
const line = (at: number): string =>
  `{"row":["${at}","/page-${at % 97}","2026-03-${String((at % 28) + 1).padStart(2, "0")}","${(at * 7919) % 100_003}",${(at % 1000) / 7}]}\n`;
function* result(): Generator<string> {
  yield `${JSON.stringify({ meta })}\n`;
  for (let from = 0; from < count; from += 1000)
    yield Array.from({ length: Math.min(1000, count - from) }, (_, at) => line(from + at)).join("");
}

/** A page that is left ends its requests. */
const passOn = (from: Readable, to: Writable): void =>
  void pipeline(from, to).catch(() => undefined);

/** The site, and the rows in place of the service of insights. */
const front = createServer((asked, answer) => {
  if (asked.url?.endsWith("/queries.stream") === true) {
    passOn(Readable.from(result()), answer);
    return;
  }
  const { url = "/", method, headers } = asked;
  const forwarded = request(new URL(url, platform.runtime.origin), { method, headers }, (site) => {
    answer.writeHead(site.statusCode ?? 502, site.headers);
    passOn(site, answer);
  });
  passOn(asked, forwarded);
});
front.listen(0, "127.0.0.1");
await once(front, "listening");
const address = front.address();
if (address === null || typeof address === "string") throw new Error("There is no port");
const origin = `http://localhost:${address.port}`;
const browser = await chromium.launch(findChromium());
const stack = {
  origin,
  visit: (options = {}) =>
    newVisitor(browser, origin, { fresh: true, loadsAhead: true, ...options }),
};

const { page } = await visitAnalyst(stack, "/console/analyst", "en", new AnalystAnswers());
await page.context().route("**/queries.stream", (route) => route.continue());

const { analyst: t } = texts.en;
const Trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().default(0),
      tdur: z.number().default(0),
      args: z.object({ name: z.string().optional().catch(undefined) }).catch({}),
    }),
  ),
});

/** @returns the longest task while the page does something, in words */
async function longestDuring(act: () => Promise<void>): Promise<string> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  await act();
  const trace: unknown = JSON.parse((await browser.stopTracing()).toString("utf8"));
  const { traceEvents } = Trace.parse(trace);
  const mains = traceEvents
    .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith("RunTask") && mains.includes(`${pid} ${tid}`),
  );
  const longest = (of: "dur" | "tdur"): string =>
    (Math.max(0, ...tasks.map((task) => task[of])) / 1000).toFixed(0);
  return `${longest("dur")} (${longest("tdur")} busy)`;
}

const grid = page.getByRole("grid");
const loading = await longestDuring(async () => {
  await page.getByRole("button", { name: t.first.countries }).click();
  await page.getByRole("button", { name: t.run.run, exact: true }).click();
  await grid.waitFor({ timeout: 120_000 });
});
const scrolling = await longestDuring(() =>
  grid.evaluate(async (element, all) => {
    const frame = () => new Promise(requestAnimationFrame);
    const whole = element.scrollHeight;
    for (let step = 0; step < all; step += 1) {
      // From one end to the other, then in small steps.
      element.scrollTop = step < all / 2 ? (step / (all / 2)) * whole : element.scrollTop - 120;
      await frame();
    }
  }, steps),
);
const sorting = await longestDuring(async () => {
  await grid.focus();
  for (const key of ["Control+End", "PageUp", "Control+Home", "ArrowUp", "Enter"])
    await page.keyboard.press(key);
  await page
    .locator(".result-table[aria-busy=false] [aria-sort=ascending]")
    .waitFor({ timeout: 60_000 });
});
stdout.write(
  `${count} rows: longest task in ms while loading ${loading}, scrolling ${scrolling}, by keys and sorting ${sorting}\n`,
);
await browser.close();
front.close();
await platform.stop();
await rm(dataDir, { recursive: true, force: true });
