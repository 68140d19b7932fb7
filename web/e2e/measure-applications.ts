import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";

import { chromium, type Page } from "playwright-core";

import { productServices } from "../../infra/embedded/services/product-services.ts";
import { startPlatform } from "../../infra/embedded/start-platform.ts";
import { createTerminal } from "../../infra/embedded/terminal.ts";
import { findChromium } from "../../infra/quality/find-chromium.ts";
import { ApplicationAnswers, many, visitApplications } from "./application-answers.ts";
import { newVisitor, type Stack } from "./fixtures.ts";

/** How the tracker behaves with many applications: `npm run measure:applications`. */
const count = 5_000;
const rounds = 7;

/** The page as a stack that has nothing else. */
async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), "applications-"));
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
  const stack: Pick<Stack, "origin" | "visit" | "stop"> = {
    origin,
    visit: (options = {}) =>
      newVisitor(browser, origin, { fresh: true, loadsAhead: true, ...options }),
    stop: async () => {
      await browser.close();
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return stack;
}

/** Records tasks of the main thread over 50 ms from now on. */
const watchTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "longtask" });
  });
const tasksOf = async (page: Page): Promise<number[]> => {
  const tasks: unknown = await page.evaluate("window.tasks.splice(0)");
  return Array.isArray(tasks) ? tasks.map(Number) : [];
};

/** Milliseconds from a press until what it shows has been painted. */
const paintedAfter = (page: Page, press: string, shown: string): Promise<number> =>
  page.evaluate(
    async ([target = "", found = ""]) => {
      const frame = () => new Promise(requestAnimationFrame);
      const begin = performance.now();
      document.querySelector<HTMLElement>(target)?.click();
      while (document.querySelector(found) === null) {
        if (performance.now() - begin > 10_000) throw new Error(`not shown: ${found}`);
        await frame();
      }
      await frame();
      return performance.now() - begin;
    },
    [press, shown],
  );

/** Milliseconds from the last character until only matching cards or rows are painted. */
const filteredAfter = (page: Page, text: string, shown: string): Promise<number> =>
  page.evaluate(
    async ([typed = "", found = ""]) => {
      const frame = () => new Promise(requestAnimationFrame);
      const field = document.querySelector<HTMLInputElement>("[type=search]");
      const begin = performance.now();
      if (field === null) return Number.NaN;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, typed);
      field.dispatchEvent(new Event("input", { bubbles: true }));
      const isDone = () => {
        const names = [...document.querySelectorAll(found)].map((one) => one.textContent);
        return names.length > 0 && names.every((name) => name.includes(typed));
      };
      while (!isDone()) {
        if (performance.now() - begin > 10_000) throw new Error(`not shown: ${typed}`);
        await frame();
      }
      return performance.now() - begin;
    },
    [text, shown],
  );

function report(name: string, values: readonly number[]): void {
  const sorted = values.toSorted((one, other) => one - other);
  const [median = 0, last = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  stdout.write(
    `${name.padEnd(34)} median ${median.toFixed(0)} ms, longest ${last.toFixed(0)} ms\n`,
  );
}

const view = (name: string): string => `.tracker__views li:nth-child(${name}) a`;
const card = ".slip__company a";
const row = ".data-table tbody th a";

async function measureViews(page: Page): Promise<void> {
  const boards: number[] = [];
  const tables: number[] = [];
  for (let round = 0; round < rounds; round++) {
    tables.push(await paintedAfter(page, view("2"), row));
    boards.push(await paintedAfter(page, view("1"), card));
  }
  // The first time their code is loaded as well.
  report("table", tables.slice(1));
  report("board", boards.slice(1));
}

async function measureFilter(page: Page, name: string, shown: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await filteredAfter(page, `${round + 1}${round + 1}`, shown));
  }
  report(name, times);
}

/** Drags cards from the first column over the board, and says how long tasks were. */
async function measureDrag(page: Page): Promise<void> {
  await tasksOf(page);
  for (let round = 0; round < 3; round++) {
    const from = await page.locator(".slip").first().boundingBox();
    const to = await page.locator(".column").nth(2).boundingBox();
    if (from === null || to === null) throw new Error("nothing to drag");
    await page.mouse.move(from.x + 20, from.y + 50);
    await page.mouse.down();
    for (let step = 0; step <= 60; step++)
      await page.mouse.move(from.x + 20 + ((to.x - from.x) * step) / 60, from.y + 50 + step * 4);
    await page.mouse.up();
    await page.waitForTimeout(300);
  }
  const tasks = await tasksOf(page);
  stdout.write(`dragging: ${tasks.length} tasks over 50 ms ${tasks.map(Math.round).join(" ")}\n`);
}

async function measureKeys(page: Page): Promise<void> {
  const handle = page.locator(".slip__handle").first();
  await handle.focus();
  await page.keyboard.press("Space");
  for (let step = 0; step < 40; step++)
    await page.keyboard.press(step % 10 === 9 ? "ArrowRight" : "ArrowDown");
  await page.keyboard.press("Space");
  await page.waitForTimeout(300);
  const tasks = await tasksOf(page);
  stdout.write(
    `carrying by keys: ${tasks.length} tasks over 50 ms ${tasks.map(Math.round).join(" ")}\n`,
  );
}

const stack = await open();
const answers = new ApplicationAnswers(many(count));
const { page } = await visitApplications(stack, "/applications", "en", { answers });
await page.locator(card).first().waitFor();
await watchTasks(page);
stdout.write(`${count} applications\n`);
await measureViews(page);
await measureFilter(page, "filter on the board", card);
await measureDrag(page);
await measureKeys(page);
await page.locator(view("2")).click();
await page.locator(row).first().waitFor();
await measureFilter(page, "filter in the table", row);
const sorts: number[] = [];
for (const direction of ["ascending", "descending", "ascending"])
  sorts.push(
    await paintedAfter(
      page,
      ".data-table thead th:nth-child(2) button",
      `.data-table thead th:nth-child(2)[aria-sort=${direction}]`,
    ),
  );
report("order of the table", sorts);
await stack.stop();
