import { statfs } from "node:fs/promises";

import lighthouse from "lighthouse";
import { chromium } from "playwright-core";

import { choosePort } from "../embedded/ports.ts";
import { findChromium } from "../quality/find-chromium.ts";
import type { Measures } from "./measures.ts";
import type { PublicPage } from "./pages.ts";

/** What one load showed, and each audit that did not pass, one line each. */
export type Loaded = { measures: Measures; remarks: string[] };

export type PageLoader = {
  /** Loads a page once on the phone and slow network that Lighthouse simulates. */
  load: (url: string, language: string, page: PublicPage) => Promise<Loaded>;
  close: () => Promise<void>;
};

/** Playwright's default and the tests': what the browser's processes share is kept in files. */
const onDisk = "--disable-dev-shm-usage";

/** Whether the browser's shared memory fits into memory; containers often have 64 MB for it. */
async function hasSharedMemory(): Promise<boolean> {
  const { bsize, bavail } = await statfs("/dev/shm").catch(() => ({ bsize: 0, bavail: 0 }));
  return bsize * bavail >= 512 * 1024 * 1024;
}

/**
 * A browser without a window where possible: on few processors a window's own work (toolbar, offer to
 * translate) would be measured with the page. Its shared memory is kept in memory where it fits:
 * files of it may wait for the disk.
 */
export async function openPageLoader(): Promise<PageLoader> {
  const port = await choosePort();
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
  return {
    // Now and then the browser fails to record a load, whatever the page.
    load: (url, language, page) => {
      const once = (): Promise<Loaded> => loadPage(port, url, language, page);
      return once().catch(once);
    },
    close: () => browser.close(),
  };
}

/** Categories of which each failed audit is reported; performance is judged by its figures. */
const judged = ["accessibility", "best-practices", "seo"] as const;

async function loadPage(
  port: number,
  url: string,
  language: string,
  { listed }: PublicPage,
): Promise<Loaded> {
  const result = await lighthouse(url, {
    port,
    logLevel: "silent",
    output: "json",
    onlyCategories: [...judged, "performance"],
    ...(listed ? {} : { skipAudits: ["is-crawlable"] }),
    extraHeaders: { "Accept-Language": language },
  });
  if (result === undefined) throw new Error(`no result for ${url}`);
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError !== undefined) throw new Error(`${url}: ${runtimeError.message}`);
  const score = (name: string): number => Math.round((categories[name]?.score ?? Number.NaN) * 100);
  const figure = (name: string): number => audits[name]?.numericValue ?? Number.NaN;
  const remarks = judged.flatMap((name) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ weight, id }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${name}: ${audits[id]?.title ?? id}`),
  );
  return {
    measures: {
      accessibility: score("accessibility"),
      bestPractices: score("best-practices"),
      seo: score("seo"),
      performance: score("performance"),
      lcpSeconds: figure("largest-contentful-paint") / 1000,
      cls: figure("cumulative-layout-shift"),
      tbtMs: figure("total-blocking-time"),
    },
    remarks,
  };
}
