import { parseArgs } from "node:util";

import { startProduct } from "../bench/running-product.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { type Measures, medianOf, missedGoals, tableHead, tableLine } from "./measures.ts";
import { openPageLoader, type PageLoader } from "./page-loader.ts";
import { mailedQueries, type PublicPage, publicPages } from "./pages.ts";

/**
 * `npm run lighthouse`: every public page in both languages on the phone that Lighthouse simulates,
 * the median of some loads, against the goals of the product. Ends with 1 when a goal is missed.
 *
 *     npm run lighthouse -- --runs 5 --pages /,/pricing
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    pages: { type: "string" },
  },
});

/** The address under which search engines know the page in this language (its canonical link). */
function addressOf(page: string, language: string, origin: string): string {
  const address = new URL(page, origin);
  if (language !== "en") address.searchParams.set("lang", language);
  return address.href;
}

/** Measures one page in one language, prints its line and returns what it misses. */
async function measure(
  loader: PageLoader,
  page: PublicPage,
  { url, language, runs }: { url: string; language: string; runs: number },
): Promise<string[]> {
  const loads: Measures[] = [];
  const remarks = new Set<string>();
  for (let run = 0; run < runs; run++) {
    const loaded = await loader.load(url, language, page);
    loads.push(loaded.measures);
    for (const remark of loaded.remarks) remarks.add(remark);
  }
  const median = medianOf(loads);
  console.log(tableLine(`${language}  ${page.path}`, median));
  return [...missedGoals(median), ...remarks].map((line) => `${language} ${page.path}: ${line}`);
}

async function measureAll(loader: PageLoader, origin: string, mailUrl: string): Promise<string[]> {
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number from 1 on");
  const chosen = values.pages?.split(",");
  const pages = (await publicPages()).filter(({ path }) => chosen?.includes(path) ?? true);
  if (pages.length === 0) throw new Error("--pages names no page of the built site");
  const queries = await mailedQueries(origin, mailUrl);
  const missed: string[] = [];
  console.log(tableHead());
  // Lighthouse keeps what a page stores, and an address with a language is remembered: English first.
  for (const language of ["en", "he"]) {
    for (const page of pages) {
      const url = addressOf(page.path + (queries.get(page.path) ?? ""), language, origin);
      missed.push(...(await measure(loader, page, { url, language, runs })));
    }
  }
  return missed;
}

const directory = await temporaryDirectory();
const loader = await openPageLoader();
const product = await startProduct(directory.path, { LOG_LEVEL: "warn" });
try {
  const { origin, mail } = product.runtime;
  const missed = await measureAll(loader, origin, mail?.webUrl ?? "");
  for (const line of missed) console.log(line);
  console.log(missed.length === 0 ? "every goal reached" : `${missed.length} goals missed`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await loader.close();
  await product.stop();
  await directory.remove();
}
