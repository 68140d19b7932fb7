import { setTimeout as pause } from "node:timers/promises";

import { type Browser, chromium, type Page } from "playwright-core";
import { z } from "zod";

import { type Demo, makeDemo } from "../embedded/demo-world.ts";
import { productServices } from "../embedded/services/product-services.ts";
import { findChromium } from "../quality/find-chromium.ts";
import { type BenchOptions, latencies, median } from "./figures.ts";
import { openOnPhone, signIn, slowdown } from "./phone.ts";
import { startProduct } from "./running-product.ts";

const rounds = 5;
const keys = 40;
/** Between two keys: the page of one has been shown, and the pause after which an edit is saved is not over. */
const keyPauseMs = 450;

/**
 * The editor of a CV: from the sign-in on a phone until its form can be used (goal: 2 s), and from a key to the
 * page beside the form (goal: 150 ms), with the processor of the page as it is and slowed. The page is drawn by
 * the studio, so the second one is without the network of a phone.
 */
export async function benchEditor({ directory }: BenchOptions): Promise<void> {
  const product = await startProduct(directory, { LOG_LEVEL: "warn", BILLING: "open" });
  const browser = await chromium.launch(findChromium());
  try {
    const demo = await makeDemo(directory, productServices);
    const { origin } = product.runtime;
    const token = await signIn(origin, demo, "premium");
    const path = `/cv/${await cvOf(origin, token)}`;
    console.log(`\neditor of a CV`);
    await benchOpening(browser, origin, demo, path);
    for (const rate of [1, slowdown]) await benchKeys(browser, { origin, token, path, rate });
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function cvOf(origin: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer: unknown = await (await fetch(`${origin}/api/cvs`, { headers })).json();
  const [cv] = z.object({ cvs: z.array(z.object({ cvId: z.string() })) }).parse(answer).cvs;
  if (cv === undefined) throw new Error("The demo has no CV");
  return cv.cvId;
}

const nameField = "#cv-profile-fullName";
const characters = "abcdefghijklmnopqrstuvwxyz";

/** Runs in the page: from the key that sends the form until the editor's first field is painted and tasks run. */
const usableAfterEnter = `new Promise((resolve) => {
  const follow = ({ key, timeStamp }) => {
    if (key !== "Enter") return;
    const look = () => {
      if (document.querySelector("${nameField}") === null) requestAnimationFrame(look);
      else setTimeout(() => resolve(performance.now() - timeStamp));
    };
    requestAnimationFrame(look);
  };
  addEventListener("keydown", follow, { capture: true });
})`;

async function benchOpening(
  browser: Browser,
  origin: string,
  demo: Demo,
  path: string,
): Promise<void> {
  const person = demo.people.find(({ name }) => name === "premium");
  if (person === undefined) throw new Error("The demo has no owner of CVs");
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await openOnPhone(browser, origin);
    await page.goto(`/login?next=${encodeURIComponent(path)}`);
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(demo.password);
    await page.waitForLoadState("networkidle");
    const usable = page.evaluate<number>(usableAfterEnter);
    await page.locator("[name=password]").press("Enter");
    times.push(await usable);
    await page.context().close();
  }
  const all = times.map((ms) => ms.toFixed(0)).join(" ");
  console.log(
    `  a phone on Fast 4G, from the sign-in to the form: ${median(times).toFixed(0)} ms  (${all})`,
  );
}

/**
 * Runs in the page: notes for each key how long it took until the pages were others and were painted. It is there
 * before the first key, as keys reach the page by another way than what is to be evaluated.
 */
const notePages = `(() => {
  window.pageTimes = [];
  const pages = document.querySelector("svg.cv-pages");
  addEventListener("keydown", ({ timeStamp }) => {
    const changes = new MutationObserver(() => {
      changes.disconnect();
      requestAnimationFrame(() => setTimeout(() => window.pageTimes.push(performance.now() - timeStamp)));
    });
    changes.observe(pages, { attributes: true, childList: true, subtree: true });
  }, { capture: true });
})()`;

/** Runs in the page: how long the calls took that draw the pages. */
const previewTimes = `performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith("/api/cvs/preview")).map(({ duration }) => duration)`;

type Keys = {
  readonly origin: string;
  readonly token: string;
  readonly path: string;
  /** How many times slower the processor of the page is. */
  readonly rate: number;
};

async function benchKeys(browser: Browser, { path, ...options }: Keys): Promise<void> {
  const page = await openWide(browser, options);
  await page.goto(path);
  await page.locator("svg.cv-pages").waitFor();
  await page.waitForLoadState("networkidle");
  await page.locator(nameField).focus();
  await page.evaluate(notePages);
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(characters.charAt(key % characters.length));
    do await pause(keyPauseMs);
    while ((await page.evaluate<number>("window.pageTimes.length")) <= key);
  }
  const times = await page.evaluate<number[]>("window.pageTimes");
  const calls = await page.evaluate<number[]>(previewTimes);
  console.log(
    `  from a key to the page, slowed ${options.rate} times, ${keys} keys: ${latencies(times)}`,
  );
  console.log(`  of that the call that draws it: ${latencies(calls)}`);
  await page.context().close();
}

async function openWide(
  browser: Browser,
  { origin, token, rate }: Omit<Keys, "path">,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
  });
  await context.addInitScript(`localStorage.setItem('token', '${token}')`);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate });
  return page;
}
