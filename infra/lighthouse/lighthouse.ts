import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { productServices } from "../embedded/services/product-services.ts";
import { startPlatform } from "../embedded/start-platform.ts";
import { createTerminal } from "../embedded/terminal.ts";
import { startBrowser } from "./browser.ts";
import { readProcessorTime, percentTaken } from "./host-share.ts";
import { type Load, type Loaded, loadPage } from "./load-page.ts";
import { mailedQueries } from "./mailed-queries.ts";
import {
  hostColumns,
  type Measures,
  medianOf,
  missedGoals,
  tableHead,
  tableLine,
} from "./measures.ts";
import { type PublicPage, publicPages } from "./public-pages.ts";
import { quietLoad } from "./quiet-load.ts";

/**
 * `npm run lighthouse`: every public page in both languages on the phone that Lighthouse simulates,
 * the median of some loads, against the goals of the product. Ends with 1 when a goal is missed. A load
 * during which the host took the processors away is repeated, and told of.
 *
 *     npm run lighthouse -- --runs 5 --pages /,/pricing
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    pages: { type: "string" },
  },
});

type Around = {
  origin: string;
  port: number;
  runs: number;
  /** Of pages that cannot do without, by path. */
  queries: ReadonlyMap<string, string>;
};

/** Now and then the browser fails to record a load; that says nothing about the page. */
async function loadOrRepeat(load: Load): Promise<Loaded & { percentTaken: number }> {
  const before = await readProcessorTime();
  const loaded = await loadPage(load).catch(() => loadPage(load));
  return { ...loaded, percentTaken: percentTaken(before, await readProcessorTime()) };
}

/** The address under which search engines know the page in this language (its canonical link). */
function addressOf(path: string, language: string, { origin, queries }: Around): URL {
  const address = new URL(path + (queries.get(path) ?? ""), origin);
  if (language !== "en") address.searchParams.set("lang", language);
  return address;
}

async function measure(page: PublicPage, language: string, around: Around): Promise<string[]> {
  const { port } = around;
  const runs: Measures[] = [];
  const remarks = new Set<string>();
  const [taken, again]: [number[], number[]] = [[], []];
  const { href: url } = addressOf(page.path, language, around);
  for (let run = 0; run < around.runs; run++) {
    const once = () => loadOrRepeat({ url, language, port, listed: page.listed });
    const { load, repeated } = await quietLoad(once);
    runs.push(load.measures);
    taken.push(load.percentTaken);
    again.push(...repeated);
    for (const remark of load.remarks) remarks.add(remark);
  }
  const middle = medianOf(runs);
  console.log(tableLine(`${language}  ${page.path}`, middle) + hostColumns(taken, again));
  return [...missedGoals(middle), ...remarks].map((line) => `${language} ${page.path}: ${line}`);
}

async function measureAll(around: Around): Promise<string[]> {
  const wanted = values.pages?.split(",");
  const pages = (await publicPages()).filter(({ path }) => wanted?.includes(path) ?? true);
  if (pages.length === 0) throw new Error("--pages names no page of the built site");
  const missed: string[] = [];
  console.log(tableHead());
  for (const page of pages) {
    for (const language of ["en", "he"]) missed.push(...(await measure(page, language, around)));
  }
  return missed;
}

const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number from 1 on");
const dataDir = await mkdtemp(join(tmpdir(), "pro-talent-lighthouse-"));
const platform = await startPlatform({
  dataDir,
  port: 0,
  logLevel: "warn",
  services: productServices,
  terminal: createTerminal(() => undefined),
  signal: new AbortController().signal,
});
const browser = await startBrowser();
try {
  const { origin, mail } = platform.runtime;
  const queries = mail ? await mailedQueries(origin, mail.webUrl) : new Map<string, string>();
  const around = { origin, port: browser.port, runs, queries };
  const missed = await measureAll(around);
  for (const line of missed) console.log(line);
  console.log(missed.length === 0 ? "every goal reached" : `${missed.length} goals missed`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
}
