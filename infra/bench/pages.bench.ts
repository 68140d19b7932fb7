import type { GuardedPage } from "@pro-talent/schemas/site/page-access";
import { type Browser, chromium, type Page } from "playwright-core";
import { z } from "zod";

import { type Demo, makeDemo } from "../embedded/demo-world.ts";
import { productServices } from "../embedded/services/product-services.ts";
import { findChromium } from "../quality/find-chromium.ts";
import { type BenchOptions, median } from "./figures.ts";
import { openOnPhone, signIn, slowdown } from "./phone.ts";
import { startProduct } from "./running-product.ts";

const rounds = 9;

type Person = { name: Demo["people"][number]["name"]; pages: readonly GuardedPage[] };

/** Pages of the navigation, for the owner of six months of billing and for who administers it. */
const people: readonly Person[] = [
  {
    name: "premium",
    pages: [
      "/dashboard",
      "/links",
      "/account/profile",
      "/account/security",
      "/account/subscription",
    ],
  },
  { name: "administrator", pages: ["/dashboard", "/account/security", "/console/status"] },
];

/**
 * Changes between signed-in pages (goal: at most 100 ms in the middle), from the click on a link of the
 * navigation to the frame that shows the page with its data. Once as the first change of a document, once
 * for every pair of pages in a document that is in use.
 */
export async function benchPages({ directory }: BenchOptions): Promise<void> {
  const product = await startProduct(directory, { LOG_LEVEL: "warn", BILLING: "open" });
  const browser = await chromium.launch(findChromium());
  try {
    const demo = await makeDemo(directory, productServices);
    console.log(`\nroute changes, processor slowed ${slowdown} times, ${rounds} of each`);
    for (const person of people) await benchPerson(browser, product.runtime.origin, demo, person);
    await benchLink(browser, product.runtime.origin, demo);
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function benchPerson(
  browser: Browser,
  origin: string,
  demo: Demo,
  { name, pages }: Person,
): Promise<void> {
  const token = await signIn(origin, demo, name);
  const [start = "/dashboard", ...others] = pages;
  const first = new Map<string, number[]>();
  const used = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const to of others) {
      const page = await openSignedIn(browser, origin, token, start);
      note(first, start, to, await change(page, to));
      await page.context().close();
    }
  }
  const page = await openSignedIn(browser, origin, token, start);
  await walk(page, pages, new Map());
  for (let round = 0; round < rounds; round += 1) await walk(page, pages, used);
  await page.context().close();
  report(`${name}, first change of a document`, first);
  report(`${name}, in a document in use`, used);
}

/**
 * The page of one link, from the navigation to its first content (goal: 1 s) and to its figures, as a new
 * document on a phone: with nothing kept, and with the files that a visit of the list has kept.
 */
async function benchLink(browser: Browser, origin: string, demo: Demo): Promise<void> {
  const token = await signIn(origin, demo, "premium");
  const headers = { authorization: `Bearer ${token}` };
  const answer: unknown = await (await fetch(`${origin}/api/links`, { headers })).json();
  const [link] = z.object({ links: z.array(z.object({ linkId: z.string() })) }).parse(answer).links;
  if (link === undefined) throw new Error("The demo has no link");
  console.log(`  the page of a link, a phone on Fast 4G, processor slowed ${slowdown} times`);
  for (const before of [undefined, "/links"]) {
    const first: number[] = [];
    const whole: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await openOnPhone(browser, origin, token);
      if (before !== undefined) {
        await page.goto(before);
        await page.waitForLoadState("networkidle");
      }
      await page.goto(`/links/${link.linkId}`, { waitUntil: "commit" });
      await page.waitForSelector("main .links__sentence");
      const times = await page.evaluate<[number, number]>(paintTimes);
      first.push(times[0]);
      whole.push(times[1]);
      await page.context().close();
    }
    const kept = before === undefined ? "nothing kept" : "files of the list kept";
    const figures = [`first content ${median(first).toFixed(0)} ms`];
    console.log(
      `    ${kept}: ${[...figures, `figures ${median(whole).toFixed(0)} ms`].join(", ")}`,
    );
  }
}

/** Runs in the page, of which this program knows no types. */
const paintTimes =
  "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]";

/** A document that has been open for long enough to be idle. */
async function openSignedIn(
  browser: Browser,
  origin: string,
  token: string,
  path: string,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
  });
  await context.addInitScript(`localStorage.setItem('token', '${token}')`);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.goto(path);
  await page.locator("main h1").waitFor();
  await page.waitForLoadState("networkidle");
  return page;
}

async function walk(
  page: Page,
  pages: readonly string[],
  times: Map<string, number[]>,
): Promise<void> {
  for (const [index, from] of pages.entries()) {
    for (const to of pages.slice(index + 1)) {
      if (new URL(page.url()).pathname !== from) await change(page, from);
      note(times, from, to, await change(page, to));
      note(times, to, from, await change(page, from));
    }
  }
}

const note = (times: Map<string, number[]>, from: string, to: string, ms: number): void => {
  const pair = `${from} to ${to}`;
  times.set(pair, [...(times.get(pair) ?? []), ms]);
};

/** @returns milliseconds from the click until the page and its data were painted */
async function change(page: Page, path: string): Promise<number> {
  const shown = page.evaluate<number>(paintedAfterClick(path));
  await page.locator(`nav a[href="${path}"]`).first().click();
  const ms = await shown;
  await page.waitForLoadState("networkidle");
  return ms;
}

/** Runs in the page, of which this program knows no types: resolves once the page of a path is painted. */
const paintedAfterClick = (path: string): string => `new Promise((resolve) => {
  const title = document.querySelector("main h1");
  const isShown = () =>
    location.pathname === "${path}" &&
    document.querySelector("main h1") !== title &&
    document.querySelector("main :is(.skeleton, [aria-busy=true])") === null;
  const follow = ({ timeStamp }) => {
    const look = () => {
      if (!isShown()) requestAnimationFrame(look);
      // Runs after the frame was painted.
      else setTimeout(() => resolve(performance.now() - timeStamp));
    };
    requestAnimationFrame(look);
  };
  addEventListener("click", follow, { capture: true, once: true });
})`;

function report(title: string, times: ReadonlyMap<string, readonly number[]>): void {
  const medians = [...times.values()].map((own) => median(own));
  console.log(
    `  ${title}: medians ${Math.min(...medians).toFixed(0)} to ${Math.max(...medians).toFixed(0)} ms`,
  );
  for (const [pair, own] of times) {
    const all = own.toSorted((a, b) => a - b).map((ms) => ms.toFixed(0));
    console.log(
      `    ${pair.padEnd(46)}${median(own).toFixed(0).padStart(5)} ms  (${all.join(" ")})`,
    );
  }
}
