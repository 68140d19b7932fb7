import { OwnLegalChange } from "@pro-talent/schemas/legal-changes/calls";
import { legalVersions } from "@pro-talent/schemas/site/legal-documents";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { elementsOfClass } from "../../prerender/html-elements.ts";
import { faultsAtWidths, faultsInAllLooks, visitAccount } from "../account-visitor.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { faultFinder } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

/** Versions of terms and policy, what the pages say of a coming one, and what its holder is shown in the account. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const coming = "2027-02-01";
const change = OwnLegalChange.parse({
  changeId: "8b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
  document: "terms",
  version: coming,
  summary: {
    en: "Refunds are paid within 10 days, and to the card that was charged.",
    he: "החזרים ישולמו בתוך 10 ימים, לכרטיס שחויב.",
  },
  appliesNow: legalVersions.terms,
  effectiveOn: "2027-02-19",
  acknowledged: false,
});

/** The page as a release with a coming version prerenders it. */
async function dateWithComing(language: Language): Promise<string> {
  vi.resetModules();
  vi.doMock("@pro-talent/schemas/site/legal-history", async (original) => ({
    ...(await original<object>()),
    comingVersions: { terms: coming, privacy: null },
  }));
  const { renderPage } = await import("../../app/entry-server.tsx");
  const { html } = await renderPage("/terms", language, 2026);
  return elementsOfClass(html, "legal__date")[0]?.inner ?? "";
}

async function showComing(page: Page, language: Language): Promise<void> {
  const date = await dateWithComing(language);
  await page.route("**/terms", async (route) => {
    const response = await route.fetch();
    const document = await response.text();
    const shown = elementsOfClass(document, "legal__date")[0]?.inner ?? "";
    await route.fulfill({ response, body: document.replace(shown, date) });
  });
}

const dayOf = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(day));

const looks = [
  { language: "en", colorScheme: "light" },
  { language: "he", colorScheme: "dark" },
] as const;

describe.each(looks)("in $language", ({ language, colorScheme }) => {
  const { documentDate } = texts[language];

  test("every version of a document is reached from its page, and says what it is", async () => {
    const options = { language, colorScheme, before: `${faultFinder};${consentGiven}` };
    const visitor = await stack.visit(options);
    const { page } = visitor;
    for (const name of ["terms", "privacy"] as const) {
      await page.goto(`/${name}`);
      await page.getByRole("link", { name: documentDate.versions, exact: true }).press("Enter");
      await page.waitForURL(`**/${name}/versions`);
      expect(await faultsAtWidths(page)).toEqual([]);
      const inForce = page.locator("main li").getByRole("link").first();
      expect(await inForce.innerText()).toContain(dayOf(legalVersions[name], language));
      await inForce.press("Enter");
      await page.waitForURL(`**/${name}/versions/${legalVersions[name]}`);
      expect(await page.locator("main h2").count()).toBeGreaterThan(8);
      expect(await faultsAtWidths(page)).toEqual([]);
    }
    const other = language === "en" ? "he" : "en";
    await page.locator(`main a[hreflang=${other}]`).press("Enter");
    await page.locator(`html[lang=${other}]`).waitFor();
    expect(visitor.noise.filter((line) => !line.includes("404"))).toEqual([]);
    await visitor.leave();
  });
});

// Each in one language: the other direction and theme are looked at beside.
describe.each<Language>(["en"])("in %s", (language) => {
  const { documentDate, legalChanges: text } = texts[language];

  test("the page says when a coming version takes effect, and leads to it", async () => {
    const options = { language, before: `${faultFinder};${consentGiven}` };
    const visitor = await stack.visit(options);
    const { page } = visitor;
    await showComing(page, language);
    await page.goto("/terms");
    const notice = page.locator(".legal__coming");
    expect(await notice.innerText()).toContain(dayOf(coming, language));
    const read = notice.getByRole("link", { name: documentDate.read });
    expect(await read.getAttribute("href")).toBe(`/terms/versions/${coming}`);
    expect(await faultsInAllLooks(page)).toEqual([]);
    expect(visitor.noise.filter((line) => !line.includes("404"))).toEqual([]);
    await visitor.leave();
  });

  test("a holder sees on every page what changes for them and when, until they have read it", async () => {
    const { visitor, page, answers } = await visitAccount(stack, "/account/profile", {
      language,
      prepare: (prepared) => {
        prepared.legalChanges = [change];
      },
    });
    const banner = page.getByRole("complementary", { name: text.label.terms });
    await banner
      .getByText(text.effectiveOn.replace("{{date}}", dayOf("2027-02-19", language)))
      .waitFor();
    expect(await banner.innerText()).toContain(change.summary[language]);
    const hrefOf = (name: string) => banner.getByRole("link", { name }).getAttribute("href");
    expect(await hrefOf(text.readNew)).toBe(`/terms/versions/${coming}`);
    expect(await hrefOf(text.readNow)).toBe(`/terms/versions/${legalVersions.terms}`);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.goto("/account/security");
    const read = banner.getByRole("button", { name: text.acknowledge });
    answers.instead.set("acknowledgement", { status: 503, body: {} });
    await read.press("Enter");
    await banner.getByText(text.failed).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    answers.instead.delete("acknowledgement");
    await read.press("Enter");
    await banner.waitFor({ state: "detached" });
    await page.getByText(text.recorded).first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    expect(visitor.noise.filter((line) => !line.includes("503"))).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { legalChanges: text } = texts[language];

  test.each([
    ["undelivered", { effectiveOn: null }, text.undelivered],
    ["in effect", { appliesNow: change.version }, text.inEffect.split("{{date}}")[0] ?? ""],
  ] as const)("a change that is %s is stated as such", async (_state, state, shown) => {
    const { visitor, page } = await visitAccount(stack, "/account/profile", {
      language,
      prepare: (prepared) => {
        prepared.legalChanges = [{ ...change, ...state }];
      },
    });
    const banner = page.getByRole("complementary", { name: text.label.terms });
    await banner.getByText(shown).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await visitor.leave();
  });
});
