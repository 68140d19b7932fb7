import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { faultsAtWidths } from "../account-visitor.ts";
import { answerFrom, type BillingModel, billingModel, problem } from "../billing-model.ts";
import { type ExampleArea, startExampleArea } from "../example-area-server.ts";
import type { Language } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** Checkout, subscription and cancellation against a server that keeps a simple model of billing. */
let area: ExampleArea;
beforeAll(async () => {
  area = await startExampleArea("product-area");
});
afterAll(() => area.stop());

const essential = { plan: "essential", cycle: "monthly" } as const;
const premium = { plan: "premium", cycle: "monthly" } as const;
const patience = { timeout: 20_000, interval: 20 };
const checkoutPath = "/checkout?plan=premium&cycle=monthly";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const tickAll = async (page: Page): Promise<void> => {
  await page.getByRole("checkbox").first().waitFor();
  for (const box of await page.getByRole("checkbox").all())
    // The page moves as a notice goes: a click could meet the link in the text of the box.
    if (!(await box.isChecked())) await box.press("Space");
};
const orders = (page: Page) => page.locator(".checkout__press button");

async function arrive(language: Language, model: BillingModel, path: string) {
  area.answerWith(answerFrom(model));
  const visitor = await area.visit({ language });
  await visitor.page.goto(path);
  return { visitor, page: visitor.page };
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const text = texts[language];

  test("nothing is ordered without every consent; then once, also by two presses", async () => {
    const model = billingModel();
    const { visitor, page } = await arrive(language, model, checkoutPath);
    await orders(page).press("Enter");
    const missing = text.checkout.consents.required;
    await heading(page, missing).waitFor();
    expect(await page.locator("[aria-invalid]").count()).toBe(3);
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(model.applied).toEqual([]);
    await tickAll(page);
    // By keyboard, for the same reason.
    await orders(page).focus();
    await Promise.all([page.keyboard.press("Enter"), page.keyboard.press("Enter")]);
    await heading(page, text.checkout.return.waiting.title).waitFor();
    expect(model.applied).toHaveLength(1);
    expect(model.applied[0]?.body).toMatchObject({ ...premium, language });
    Object.assign(model, { checkout: "completed", choice: premium });
    await heading(page, text.checkout.return.completed.title).waitFor();
    await page.locator(".checkout__receipt").waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe.each(["he"] as const)("in %s", (language) => {
  const text = texts[language];

  test("a launch discount is stated before it is bought, with what later periods cost", async () => {
    const model = billingModel({ discount: 20 });
    const { visitor, page } = await arrive(language, model, "/account/subscription");
    await page.getByText("20%").waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.goto("/checkout?plan=premium&cycle=annual");
    const stated = await page.locator(".checkout-sheet__discount").textContent();
    expect(stated).toMatch(/\$144\.00.*\$180\.00/u);
    expect(await page.locator(".charge-lines").textContent()).toMatch(/20%.*-\$36\.00.*\$144\.00/u);
    expect(await faultsAtWidths(page)).toEqual([]);
    Object.assign(model, { choice: { plan: "premium", cycle: "annual" } });
    await page.goto("/account/subscription");
    await page
      .getByText(text.subscription.payments.discount.replace("{{percent}}", "20"))
      .waitFor();
    await visitor.leave();
  });

  test("a checkout that expired or was refunded says so", async () => {
    const model = billingModel({ checkout: "expired" });
    const { visitor, page } = await arrive(language, model, "/checkout/return?checkout=c-1");
    await heading(page, text.checkout.return.expired.title).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    model.checkout = "refunded";
    await page.reload();
    await heading(page, text.checkout.return.refunded.title).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });

  test("a change is confirmed with what it costs, and applied once", async () => {
    const model = billingModel({ choice: essential });
    const { visitor, page } = await arrive(language, model, "/account/subscription");
    const open = page.locator(".act-row").nth(1).getByRole("button");
    await open.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain("$13.55");
    expect(await faultsAtWidths(page)).toEqual([]);
    model.version = 2;
    await dialog.locator(".button--solid").click();
    await dialog.getByText(text.subscription.dialog.changed).waitFor();
    await dialog.locator(".button--solid").dblclick();
    await page.getByText(text.subscription.acts.done.upgrade).waitFor();
    expect(model.applied).toHaveLength(1);
    await heading(page, text.plans.premium.name).waitFor();
    await visitor.leave();
  });

  test("administrators release an account whose billing is stopped", async () => {
    const accountId = "0f8fad5b-d9cb-469f-a165-708677289510";
    const since = "2026-03-01T08:00:00.000Z";
    const parked = [{ accountId, reason: "paid-twice", since }];
    const model = billingModel({ roles: ["holder", "administrator"], parked });
    const { visitor, page } = await arrive(language, model, "/console/status");
    await page.getByText(text.status.reasons["paid-twice"]).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.locator(".reading-table").getByRole("button").press("Enter");
    await page.getByRole("dialog").locator(".button--solid").click();
    await page.getByText(text.status.empty).waitFor();
    await visitor.leave();
  });
});

// What does not depend on the language is shown in one of them; ways are in account-paths.spec.ts.
test("in en a changed quote takes its consents back; without an answer what was ticked stays", async () => {
  const { billing, checkout } = texts.en;
  const model = billingModel();
  const { visitor, page } = await arrive("en", model, checkoutPath);
  await tickAll(page);
  model.version = 2;
  await orders(page).click();
  await page.getByText(checkout.changed.title).waitFor();
  expect(await page.getByRole("checkbox").first().isChecked()).toBe(false);
  expect(model.applied).toEqual([]);
  await tickAll(page);
  await page.context().setOffline(true);
  await orders(page).click();
  await page.getByText(billing.trouble.network).waitFor();
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(3);
  await page.context().setOffline(false);
  await orders(page).click();
  await vi.waitFor(() => expect(model.applied).toHaveLength(1), patience);
  await visitor.leave();
});

test("in he a subscription that cannot be loaded says so and is asked for again", async () => {
  const text = texts.he;
  const model = billingModel();
  model.forced.set("GET /api/subscription", problem(503, "ledger_unavailable"));
  const { visitor, page } = await arrive("he", model, "/account/subscription");
  const failed = text.subscription.view.subscription.failed;
  await page.locator("p", { hasText: failed }).waitFor();
  model.forced.clear();
  await button(page, text.account.view.retry).press("Enter");
  await heading(page, text.subscription.firstRun.title).waitFor();
  expect(await page.locator("p", { hasText: failed }).count()).toBe(0);
  await visitor.leave();
});

test.each([
  ["en", true],
  ["he", false],
] as const)("in %s cancelling takes two steps (in the window: %s)", async (language, inWindow) => {
  const text = texts[language];
  const model = billingModel({ choice: premium, inWindow });
  const { visitor, page } = await arrive(language, model, "/account/subscription/cancel");
  const kind = inWindow ? "withdraw" : "cancel";
  const step = (name: "offered" | "confirming" | "done") =>
    text.subscription.cancel.steps[kind][name];
  await heading(page, step("offered")).waitFor();
  expect(await faultsAtWidths(page)).toEqual([]);
  await button(page, text.subscription.cancel.now).press("Enter");
  await heading(page, step("confirming")).waitFor();
  expect(await page.locator(".cancellation").textContent()).toContain("noa@example.com");
  model.forced.set("POST /api/subscription/cancel", problem(500, "internal_error"));
  const confirm = button(page, text.subscription.acts[kind].confirm);
  await confirm.press("Enter");
  await page.getByText(text.subscription.cancel.failed).waitFor();
  model.forced.clear();
  await confirm.dblclick();
  await heading(page, step("done")).waitFor();
  expect(await faultsAtWidths(page)).toEqual([]);
  // The second press has not left the receipt.
  await heading(page, step("done")).waitFor();
  expect(model.applied).toHaveLength(1);
  await visitor.leave();
});
