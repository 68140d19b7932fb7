import lighthouse from "lighthouse";

import type { Measures } from "./measures.ts";

export type Load = { url: string; language: string; port: number; listed: boolean };
/** What one load showed, and what Lighthouse would have otherwise, one line each. */
export type Loaded = { measures: Measures; remarks: string[] };

/** Categories whose every complaint is worth a line; performance is judged by its figures. */
const judged = ["accessibility", "best-practices", "seo"] as const;

/**
 * Loads a page once as Lighthouse's mobile phone on a slow network, simulated.
 * @throws when the page could not be loaded
 */
export async function loadPage({ url, language, port, listed }: Load): Promise<Loaded> {
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
  const score = (name: string): number => {
    const value = categories[name]?.score;
    return typeof value === "number" ? Math.round(value * 100) : Number.NaN;
  };
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
