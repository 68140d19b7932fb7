import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { inTurn, type Language, type Stack, startPages } from "../fixtures.ts";
import {
  answerLinks,
  type Answers,
  emptied,
  linkIdOf,
  notIncluded,
  ok,
  openLinks,
  usual,
} from "../link-answers.ts";
import { accessibilityFaults, overflowFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** Both pages of links in each state that a view of data has. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const list = "/links";
const one = `/links/${linkIdOf(1)}`;
const insightsOf = `/api/insights/links/${linkIdOf(1)}`;
const refused = { status: 400, body: { code: "x", error: "No." } };
const denied = { status: 403, body: { code: "x", error: "No." } };

type State = {
  state: string;
  path: string;
  answers: Answers;
  shown: (language: Language) => string;
};

const states: readonly State[] = [
  {
    state: "the list that is awaited",
    path: list,
    answers: { "/api/links": "awaited" },
    shown: (language) => texts[language].links.loading,
  },
  {
    state: "the list before the first link",
    path: list,
    answers: { "/api/links": ok({ links: [], linksMax: 500 }) },
    shown: (language) => texts[language].links.empty.body,
  },
  {
    state: "the list without a match",
    path: `${list}?q=nothing-of-that-name`,
    answers: {},
    shown: (language) => texts[language].links.list.noMatchBody,
  },
  {
    state: "the list without its figures",
    path: list,
    answers: { "/api/insights/links": refused },
    shown: (language) => texts[language].links.withoutNumbers,
  },
  {
    state: "the list that cannot be loaded",
    path: list,
    answers: { "/api/links": refused },
    shown: (language) => texts[language].account.view.failedBody,
  },
  {
    state: "the list that is not allowed",
    path: list,
    answers: { "/api/links": denied },
    shown: (language) => texts[language].account.view.denied,
  },
  {
    state: "the list without analytics",
    path: list,
    answers: { "/api/insights/links": notIncluded },
    shown: (language) => texts[language].links.sample.title,
  },
  {
    state: "the list",
    path: list,
    answers: {},
    shown: () => "Globex",
  },
  {
    state: "a link whose figures are awaited",
    path: one,
    answers: { [insightsOf]: "awaited" },
    shown: (language) => texts[language].links.loading,
  },
  {
    state: "a link that was not opened",
    path: one,
    answers: emptied,
    shown: (language) => texts[language].links.newest.noneBody,
  },
  {
    state: "a link that was not opened by what the address is limited to",
    path: `${one}?device=tv&country=FR`,
    answers: emptied,
    shown: (language) => texts[language].links.newest.noMatchBody,
  },
  {
    state: "a link with more opens than are shown",
    path: one,
    answers: { [`${insightsOf}/opens`]: ok({ opens: [], more: true }) },
    shown: (language) => texts[language].links.newest.more,
  },
  {
    state: "a link whose figures cannot be loaded",
    path: one,
    answers: { [insightsOf]: refused },
    shown: (language) => texts[language].account.view.failedBody,
  },
  {
    state: "a link whose figures are not allowed",
    path: one,
    answers: { [insightsOf]: denied },
    shown: (language) => texts[language].account.view.denied,
  },
  {
    state: "a link without analytics",
    path: one,
    answers: { [insightsOf]: notIncluded },
    shown: (language) => texts[language].links.sample.title,
  },
  {
    state: "a link that there is not",
    path: `/links/${linkIdOf(8)}`,
    answers: {},
    shown: (language) => texts[language].links.link.unknown,
  },
  {
    state: "a link beside another",
    path: `${one}?with=${linkIdOf(2)}&source=linkedin.com`,
    answers: {},
    shown: (language) => texts[language].links.excluded["mail-scanner"].why,
  },
];

/** In both themes, narrow and wide. Names and contrasts are judged in one of them. */
async function faultsInThemes(page: Page, judged: "light" | "dark"): Promise<string[]> {
  const faults: string[] = [];
  for (const [colorScheme, width] of [
    ["light", 360],
    ["dark", 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await overflowFaults(page)));
    if (colorScheme === judged) faults.push(...(await accessibilityFaults(page)));
  }
  return faults;
}

test.each(["en", "he"] as const)(
  "in %s half of the states of the pages of links have no violation, and none is too wide in either theme",
  async (language) => {
    const found: Record<string, string[]> = {};
    const { page, visitor } = await openLinks(stack, list, language);
    const looked = inTurn(states).filter((one) => one.language === language);
    for (const { state, path, answers, shown } of looked) {
      await answerLinks(page.context(), { ...usual, ...answers });
      await page.goto(path);
      await page.getByText(shown(language)).first().waitFor({ state: "attached" });
      const faults = await faultsInThemes(page, language === "en" ? "light" : "dark");
      if (faults.length > 0) found[state] = faults;
    }
    expect(found).toEqual({});
    await visitor.leave();
  },
  120_000,
);
