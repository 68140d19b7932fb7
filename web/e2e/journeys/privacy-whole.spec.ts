import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Demo } from "../../../infra/embedded/demo-world.ts";
import { downloaded, verifyPackage } from "../data-package.ts";
import { signInAs } from "../demo-sign-in.ts";
import { type Language, type OwnStack, startOwnStack, type Visitor } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** A copy and a correction from the request to what its holder gets, through the whole product. */
let stack: OwnStack;
let demo: Demo;
let officer: Visitor;
beforeAll(async () => {
  stack = await startOwnStack();
  demo = await stack.makeDemo();
  officer = await stack.visit();
  await signInAs(officer.page, demo, "officer");
}, 120_000);
afterAll(() => stack.stop());

const button = (page: Page, name: string) =>
  page.locator("main").getByRole("button", { name, exact: true });

/** The officer opens the only request that waits, takes it and approves it: three presses. */
async function approve(language: Language): Promise<void> {
  const text = texts[language]["privacy-console"];
  const { page } = officer;
  await page.goto(`/console/privacy?lang=${language}`);
  await page.getByRole("table").getByRole("link").press("Enter");
  await button(page, text.decide.claim).press("Enter");
  await button(page, text.decide.approve).press("Enter");
  await page.getByText(text.decide.nothing).waitFor();
}

const mailed = (email: string, subject: string): Promise<void> =>
  expect
    .poll(async () => (await stack.mail.to(email)).map((mail) => mail.subject), { timeout: 30_000 })
    .toContain(subject);

const mails = {
  en: {
    received: "We have received your privacy request",
    ready: "The copy of your data is ready",
    corrected: "Your data has been corrected",
  },
  he: {
    received: "בקשת הפרטיות שלך התקבלה",
    ready: "העותק של הנתונים שלך מוכן",
    corrected: "הנתונים שלך תוקנו",
  },
} as const;

test.each([
  ["en", "premium"],
  ["he", "free"],
] as const)(
  "in %s a copy is asked for, mailed about, approved in three presses, downloaded and verified offline, then a correction",
  async (language, name) => {
    const { privacy: text } = texts[language];
    const holder = await stack.visit({ language });
    const { page } = holder;
    const { email } = await signInAs(page, demo, name);
    await page.goto(`/account/privacy?lang=${language}`);
    await button(page, text.export.submit).press("Enter");
    await page.getByText(text.export.open).waitFor();
    await mailed(email, mails[language].received);
    await approve(language);
    await mailed(email, mails[language].ready);
    await page.reload();
    const files = await downloaded(page, () => button(page, text.requests.download).press("Enter"));
    expect(await verifyPackage(files, stack.origin)).toContain("genuine: data package");
    await page.reload();

    await page.locator("[name=fullName]").fill("נועה Levi-Cohen");
    await button(page, text.correct.submit).press("Enter");
    await page.getByText(text.correct.open).waitFor();
    await approve(language);
    await mailed(email, mails[language].corrected);
    await page.goto("/account/profile");
    await expect.poll(() => page.locator("[name=fullName]").inputValue()).toBe("נועה Levi-Cohen");
    expect(holder.noise).toEqual([]);
    await holder.leave();
  },
);
