import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { type Language, type Stack, startOpenStack } from "../fixtures.ts";
import { linkIn } from "../mail-box.ts";
import { accessibilityFaults, faultFinder, overflowFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** A plan from the checkout to its refund, through the whole product and the sandbox's own pages. */
let stack: Stack;
beforeAll(async () => {
  stack = await startOpenStack();
});
afterAll(() => stack.stop());

const patience = { timeout: 20_000, interval: 100 };
const checkoutPath = "/checkout?plan=essential&cycle=monthly";
const card = (page: Page, name: string) => page.locator(`button[name=card][value=${name}]`);

/** Joins with the mailed link, which leads on to the checkout. */
async function join(page: Page, email: string, language: Language): Promise<void> {
  await page.goto("/join");
  const body = JSON.stringify({ email, language, next: checkoutPath });
  const status = await page.evaluate(async (sent) => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/account/registration", { method: "POST", headers, body: sent }))
      .status;
  }, body);
  expect(status).toBe(202);
  await page.goto(linkIn(await stack.mail.waitFor(email), "/join"));
  await page.locator("[name=fullName]").fill("Noa Levi");
  await page.locator("[name=password]").fill("seven grey herons at noon");
  await page.locator("[name=terms]").check();
  await page.locator("[name=privacy]").check();
  await page.locator("[name=password]").press("Enter");
  await page.waitForURL(/\/checkout\?/u);
}

async function sandboxFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      faults.push(...(await accessibilityFaults(page)), ...(await overflowFaults(page)));
    }
  }
  return faults;
}

test.each(["en", "he"] as const)(
  "a plan is bought, raised and returned in %s",
  async (language) => {
    const { checkout, subscription } = texts[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await page.context().addInitScript(faultFinder);
    await join(page, `buyer.${language}@example.com`, language);

    const order = page.locator(".checkout__press button");
    await order.press("Enter");
    await page.getByRole("heading", { name: checkout.consents.required }).waitFor();
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await order.press("Enter");
    await page.waitForURL("**/sandbox-payments/checkout/**");
    expect(await sandboxFaults(page)).toEqual([]);
    await card(page, "declined").press("Enter");
    await page.locator("[role=alert]").waitFor();
    await card(page, "challenge").press("Enter");
    await page.waitForURL("**/sandbox-payments/challenge/**");
    expect(await sandboxFaults(page)).toEqual([]);
    await page.locator("button[value=approve]").press("Enter");
    await page.getByRole("heading", { name: checkout.return.completed.title }).waitFor();

    await page.goto("/account/subscription");
    await page
      .getByText(/(?:^|\D)14(?:\D|$)/u)
      .first()
      .waitFor();
    const rows = page.locator(".act-row");
    const dialog = page.getByRole("dialog");
    const upgrade = rows.filter({ hasText: texts[language].plans.premium.name }).first();
    await upgrade.getByRole("button").press("Enter");
    await dialog.locator(".charge-lines").waitFor();
    await dialog.locator(".button--solid").press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.locator(".page-header", { hasText: texts[language].plans.premium.name }).waitFor();

    await page.goto("/account/subscription/cancel");
    await page.getByRole("button", { name: subscription.cancel.now, exact: true }).press("Enter");
    const confirm = subscription.acts.withdraw.confirm;
    await page.getByRole("button", { name: confirm, exact: true }).press("Enter");
    await page.locator(".cancellation[data-step=done]").waitFor();
    await page.getByText(subscription.cancel.received, { exact: true }).waitFor();
    // A process issues the credit note, after the refund.
    const note = page.getByText(subscription.invoices.kind["credit-note"]).first();
    await vi.waitFor(async () => {
      await page.goto("/account/subscription");
      await note.waitFor({ timeout: 3000 });
    }, patience);
    await visitor.leave();
  },
);
