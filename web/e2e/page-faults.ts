import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Page } from "playwright-core";
import { z } from "zod";

/** WCAG 2.2 A and AA and best practices, as far as they can be checked automatically. */
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const Faults = z.array(z.string());

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Script for every document: records policy violations. */
export const faultFinder = `
document.addEventListener('securitypolicyviolation', (event) => {
  console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI);
});`;

/** Playwright would have the page evaluate a text: a script is compiled once for all documents of a process. */
async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  await session.detach();
}

type Judged = {
  /** Tags, or names of rules. */
  rules?: readonly string[];
  /** Selector of what has changed since the page was judged as a whole. */
  within?: string;
};

/** Violations that axe finds. It is loaded into a document that is judged, not into every one. */
export async function accessibilityFaults(
  page: Page,
  { rules = axeTags, within }: Judged = {},
): Promise<string[]> {
  // Before its style sheet has arrived, a page has the contrasts of no style sheet.
  await page.waitForLoadState("load");
  if (!(await page.evaluate<boolean>("'axe' in window"))) await loadAxe(page);
  const judged = within === undefined ? "document" : JSON.stringify(within);
  const options = JSON.stringify({ runOnly: rules, resultTypes: ["violations"] });
  const found = await page.evaluate(
    `axe.run(${judged}, ${options}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`,
  );
  return Faults.parse(found);
}

/** A page of any driver. */
type EvaluatingPage = { evaluate: <Result>(inPage: () => Result) => Promise<Awaited<Result>> };

/** Horizontal overflow in pixels, and the element that causes it. */
export function overflowFaults(page: EvaluatingPage): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, dir } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const reach = (element: Element): number => {
      const { left, right } = element.getBoundingClientRect();
      return dir === "rtl" ? -left : right - clientWidth;
    };
    const furthest = [...document.body.querySelectorAll("*")]
      .filter((element) => reach(element) > 0)
      .toSorted((one, other) => reach(other) - reach(one))
      .slice(0, 3)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`);
    return [`${scrollWidth - clientWidth} px too wide: ${furthest.join(", ")}`];
  });
}

/** Controls under 24 × 24 pixels, except links within a sentence. */
export function targetFaults(page: EvaluatingPage): Promise<string[]> {
  return page.evaluate(() => {
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    const shown = [...document.querySelectorAll(controls)].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        // Visually hidden controls are not pressed: skip links until they have focus.
        getComputedStyle(element).clipPath === "none" &&
        element.closest(".skip-links") === null,
    );
    return shown.flatMap((element) => {
      const text = element.parentElement?.textContent.trim() ?? "";
      const inSentence =
        getComputedStyle(element).display === "inline" &&
        text.length > element.textContent.trim().length;
      // The label of a box may be pressed instead.
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const areas = [element, ...labels].map((target) => target.getBoundingClientRect());
      const large = areas.some(({ width, height }) => width >= 24 && height >= 24);
      if (inSentence || large) return [];
      const { width, height } = element.getBoundingClientRect();
      return [
        `target of ${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`,
      ];
    });
  });
}

export type PageFacts = {
  lang: string;
  dir: string;
  rtl: boolean;
  theme: string;
  title: string;
  description: string;
  headings: number;
  /** Same-site addresses that the page links to. */
  links: string[];
  /** Ids that an anchor can lead to. */
  anchors: string[];
};

export function pageFacts(page: Page): Promise<PageFacts> {
  return page.evaluate(() => {
    const { lang, dir, dataset } = document.documentElement;
    const hrefs = [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].map(
      ({ href }) => new URL(href),
    );
    return {
      lang,
      dir,
      rtl: document.body.classList.contains("rtl"),
      theme: dataset["theme"] ?? "",
      title: document.title,
      description:
        document.querySelector('meta[name="description"]')?.getAttribute("content") ?? "",
      headings: document.querySelectorAll("h1").length,
      links: [
        ...new Set(
          hrefs
            .filter(({ origin }) => origin === location.origin)
            .map(({ pathname, search, hash }) => pathname + search + hash),
        ),
      ],
      anchors: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    };
  });
}
