import type { BrowserContext, Page } from "playwright-core";

import { AccountAnswers } from "./account-answers.ts";
import type { Language, Stack, Visitor, VisitorOptions } from "./fixtures.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "./page-faults.ts";

const withToken =
  "if (!sessionStorage.getItem('begun')) { sessionStorage.setItem('begun', '1'); localStorage.setItem('token', 'bearer-1'); }";

export type AccountVisitor = { visitor: Visitor; page: Page; answers: AccountAnswers };

type Options = VisitorOptions & {
  signedIn?: boolean;
  prepare?: (answers: AccountAnswers) => void;
  /** Answers further calls, before the page is opened. */
  alsoAnswer?: (context: BrowserContext) => Promise<void>;
};

/** A visitor whose calls about accounts are answered by {@link AccountAnswers}. */
export async function visitAccount(
  stack: Pick<Stack, "visit">,
  path: string,
  { signedIn = true, prepare, alsoAnswer, ...options }: Options & { language: Language },
): Promise<AccountVisitor> {
  const before = [options.before, faultFinder, signedIn ? withToken : ""].join("\n");
  const visitor = await stack.visit({ ...options, before });
  const { page } = visitor;
  const answers = new AccountAnswers();
  prepare?.(answers);
  await answers.takeOver(page.context());
  await alsoAnswer?.(page.context());
  await page.goto(path);
  await page.locator("main h1").waitFor();
  return { visitor, page, answers };
}

const widthsOf = async (page: Page): Promise<number[]> =>
  (await page.locator("html").getAttribute("lang")) === "he" ? [1280, 360] : [360, 1280];

/**
 * What must be right at any width: no sideways scrolling, targets. Contrast and names, which a width hardly
 * changes, are judged at one: the narrow one in Hebrew, the wide one in English.
 */
export async function faultsAtWidths(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of await widthsOf(page)) {
    await page.setViewportSize({ width, height: 800 });
    const found = [...(await overflowFaults(page)), ...(await targetFaults(page))];
    faults.push(...found.map((fault) => `${width}: ${fault}`));
  }
  return [...faults, ...(await accessibilityFaults(page))];
}

/** Has the texts run the other way, until it is called again. */
const turn = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { documentElement: root, body } = document;
    root.dir = root.dir === "rtl" ? "ltr" : "rtl";
    body.classList.toggle("rtl");
  });

/** As {@link faultsAtWidths}, and what is seen of direction and theme in the ones that the visitor has not. */
export async function faultsInAllLooks(page: Page): Promise<string[]> {
  const faults = await faultsAtWidths(page);
  await turn(page);
  for (const width of await widthsOf(page)) {
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await overflowFaults(page)));
  }
  await turn(page);
  const html = page.locator("html");
  const theme = (await html.getAttribute("data-theme")) === "dark" ? "dark" : "light";
  for (const colorScheme of [theme === "dark" ? "light" : "dark", theme] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    if (colorScheme !== theme)
      faults.push(...(await accessibilityFaults(page, { rules: ["color-contrast"] })));
  }
  return faults;
}

export const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem("token"));

/** An officer who is signed in with a second factor, in English on light and in Hebrew on dark pages. */
export const visitOfficer = (stack: Stack, language: Language): Promise<AccountVisitor> =>
  visitAccount(stack, "/dashboard", {
    language,
    colorScheme: language === "en" ? "light" : "dark",
    prepare: (answers) => {
      answers.account = { ...answers.account, roles: ["holder", "officer"], factor: true };
    },
  });
