import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { directionOf } from "../../i18n/languages.ts";
import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import {
  accessibilityFaults,
  faultFinder,
  overflowFaults,
  type PageFacts,
  pageFacts,
  targetFaults,
} from "../page-faults.ts";
import { startStack } from "../products.ts";
import { consentGiven, sitePaths, unknownPath, unlinkedPaths } from "../site-paths.ts";

type Look = { language: Language; theme: "light" | "dark" };
type Finding = { status: number; faults: string[]; facts: PageFacts };

/** The layout depends on the language, contrasts on the theme: each of these is seen once. */
const looks: readonly Look[] = [
  { language: "en", theme: "light" },
  { language: "he", theme: "dark" },
];
const cases = looks.flatMap((look) => sitePaths.map((path) => ({ ...look, path })));
const findings = new Map<string, Finding>();
const keyOf = ({ language, theme, path }: Look & { path: string }): string =>
  `${language} ${theme} ${path}`;

function findingOf(one: Look & { path: string }): Finding {
  const finding = findings.get(keyOf(one));
  if (finding === undefined) throw new Error(`not visited: ${keyOf(one)}`);
  return finding;
}

/** From wide to narrow: the layout differs at each of these widths. What axe finds hardly depends on it. */
async function inspectWidths({ page }: Visitor, { language }: Look): Promise<string[]> {
  const faults: string[] = [];
  const judged = language === "en" ? 1280 : 360;
  for (const width of [1280, 768, 360, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const found = await overflowFaults(page);
    if (width === 1280 || width === 360) found.push(...(await targetFaults(page)));
    if (width === judged) found.push(...(await accessibilityFaults(page)));
    faults.push(...found.map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}

async function inspect(visitor: Visitor, look: Look, path: string): Promise<Finding> {
  const { page } = visitor;
  const before = visitor.noise.length;
  await page.setViewportSize({ width: 1280, height: 800 });
  const answer = await visitor.open(path);
  const facts = await pageFacts(page);
  const faults = await inspectWidths(visitor, look);
  // The browser reports the expected 404 as an error.
  const noise = visitor.noise
    .slice(before)
    .filter((text) => path !== unknownPath || !text.includes("a status of 404"));
  return { status: answer?.status() ?? 0, facts, faults: [...faults, ...noise] };
}

/** About a minute on two idle processors, several on a busy machine. */
const crawlMs = 400_000;
let stack: Stack;

async function crawl(waiting: Look[]): Promise<void> {
  for (let look = waiting.shift(); look !== undefined; look = waiting.shift()) {
    const { language, theme } = look;
    const before = `${consentGiven}${faultFinder}`;
    const visitor = await stack.visit({ language, colorScheme: theme, before });
    for (const path of sitePaths) {
      findings.set(keyOf({ ...look, path }), await inspect(visitor, look, path));
    }
    await visitor.leave();
  }
}

beforeAll(async () => {
  stack = await startStack();
  const waiting = [...looks];
  await Promise.all([crawl(waiting), crawl(waiting)]);
}, crawlMs);
afterAll(() => stack.stop());

test.each(cases)("$path in $language and $theme has no fault at any width", (one) => {
  expect(findingOf(one).faults).toEqual([]);
});

test.each(cases)("$path in $language and $theme says what it is", (one) => {
  const { status, facts } = findingOf(one);
  expect(status).toBe(one.path === unknownPath ? 404 : 200);
  expect(facts).toMatchObject({
    lang: one.language,
    dir: directionOf(one.language),
    rtl: one.language === "he",
    theme: one.theme,
    headings: 1,
  });
  expect(facts.title).toMatch(/^.{10,60}$/u);
  expect(facts.title).toContain("Pro Talent");
  expect(facts.description).toMatch(/^.{70,160}$/u);
});

describe.each(looks)("the pages in $language", (look) => {
  const visited = () => sitePaths.map((path) => ({ path, ...findingOf({ ...look, path }).facts }));

  test("have a title and a description of their own", () => {
    const pages = visited();
    expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
    expect(new Set(pages.map(({ description }) => description)).size).toBe(pages.length);
  });

  test("link only to pages, places and files that are there", async () => {
    const pages = visited();
    const wrong: string[] = [];
    for (const link of new Set(pages.flatMap(({ links }) => links))) {
      const { pathname, hash } = new URL(link, stack.origin);
      const target = pages.find(({ path }) => path === pathname);
      const holders = pages.filter(({ links }) => links.includes(link)).map(({ path }) => path);
      const found =
        target === undefined ? (await fetch(new URL(link, stack.origin))).ok : target.path !== "";
      const place = decodeURIComponent(hash.slice(1));
      const placed = hash === "" || target?.anchors.includes(place) === true;
      if (!found || !placed) wrong.push(`${link} on ${holders.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  });

  test("can all be reached from the home page", () => {
    const pages = visited();
    const reached = new Set(["/"]);
    for (const path of reached) {
      const links = pages.find((page) => page.path === path)?.links ?? [];
      for (const link of links) reached.add(new URL(link, stack.origin).pathname);
    }
    const known = sitePaths.filter((path) => !unlinkedPaths.includes(path));
    expect(known.filter((path) => !reached.has(path))).toEqual([]);
  });
});
