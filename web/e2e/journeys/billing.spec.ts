import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { answerFrom, type BillingModel, billingModel, problem } from "../billing-model.ts";
import { type ExampleArea, startExampleArea } from "../example-area-server.ts";
import type { VisitorOptions } from "../fixtures.ts";
import { accessibilityFaults, overflowFaults, targetFaults } from "../page-faults.ts";
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
  for (const box of await page.getByRole("checkbox").all()) await box.check();
};
const orders = (page: Page) => page.locator(".checkout__press button");

async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    faults.push(
      ...(await accessibilityFaults(page)),
      ...(await overflowFaults(page)),
      ...(await targetFaults(page)),
    );
  }
  return faults;
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const text = texts[language];

  async function arrive(model: BillingModel, path: string, options: VisitorOptions = {}) {
    area.answerWith(answerFrom(model));
    const visitor = await area.visit({ language, ...options });
    await visitor.page.goto(path);
    return { visitor, page: visitor.page };
  }

  test("nothing is ordered without every consent; then once, also by two presses", async () => {
    const model = billingModel();
    const { visitor, page } = await arrive(model, checkoutPath);
    await orders(page).press("Enter");
    const missing = text.checkout.consents.required;
    await heading(page, missing).waitFor();
    expect(await page.locator("[aria-invalid]").count()).toBe(3);
    expect(await faultsOf(page)).toEqual([]);
    expect(model.applied).toEqual([]);
    await tickAll(page);
    await orders(page).dblclick();
    await heading(page, text.checkout.return.waiting.title).waitFor();
    expect(model.applied).toHaveLength(1);
    expect(model.applied[0]?.body).toMatchObject({ ...premium, language });
    Object.assign(model, { checkout: "completed", choice: premium });
    await heading(page, text.checkout.return.completed.title).waitFor();
    await page.locator(".checkout__receipt").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("a quote that changed meanwhile is shown again, with its consent taken back", async () => {
    const model = billingModel();
    const { visitor, page } = await arrive(model, checkoutPath);
    await tickAll(page);
    model.version = 2;
    await orders(page).click();
    await page.getByText(text.checkout.changed.title).waitFor();
    expect(await page.getByRole("checkbox").first().isChecked()).toBe(false);
    expect(model.applied).toEqual([]);
    await tickAll(page);
    await orders(page).click();
    await vi.waitFor(() => expect(model.applied).toHaveLength(1), patience);
    await visitor.leave();
  });

  test("a choice is in the address, and a sign-in in the middle leads back to it", async () => {
    const model = billingModel();
    const { visitor, page } = await arrive(model, checkoutPath);
    await page.locator("#cycle-annual").check();
    await page.locator(".checkout-sheet__title").waitFor();
    await tickAll(page);
    model.forced.set("POST /api/checkout", problem(401, "unauthorized"));
    await orders(page).click();
    await page.waitForURL(/\/login\?/u);
    const next = new URL(page.url()).searchParams.get("next");
    expect(next).toBe("/checkout?plan=premium&cycle=annual");
    await visitor.leave();
  });

  test("without an answer the order can be repeated, and what was ticked stays", async () => {
    const model = billingModel();
    const { visitor, page } = await arrive(model, checkoutPath);
    await tickAll(page);
    await page.context().setOffline(true);
    await orders(page).click();
    await page.getByText(text.billing.trouble.network).waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(3);
    await page.context().setOffline(false);
    await orders(page).click();
    await vi.waitFor(() => expect(model.applied).toHaveLength(1), patience);
    await visitor.leave();
  });

  test("what another tab has bought is not bought again", async () => {
    const model = billingModel();
    const { visitor, page } = await arrive(model, checkoutPath);
    await tickAll(page);
    model.forced.set("POST /api/checkout", problem(409, "subscription_exists"));
    await orders(page).click();
    await page.getByText(text.checkout.blocked.subscribed.title).waitFor();
    expect(model.applied).toEqual([]);
    await visitor.leave();
  });

  test.each(["expired", "refunded"] as const)("a checkout that is %s says so", async (checkout) => {
    const { visitor, page } = await arrive(
      billingModel({ checkout }),
      "/checkout/return?checkout=c-1",
    );
    await heading(page, text.checkout.return[checkout].title).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await visitor.leave();
  });

  test("a change is confirmed with what it costs, and applied once", async () => {
    const model = billingModel({ choice: essential });
    const { visitor, page } = await arrive(model, "/account/subscription");
    const open = page.locator(".act-row").nth(1).getByRole("button");
    await open.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain("$13.55");
    expect(await faultsOf(page)).toEqual([]);
    model.version = 2;
    await dialog.locator(".button--solid").click();
    await dialog.getByText(text.subscription.dialog.changed).waitFor();
    await dialog.locator(".button--solid").dblclick();
    await page.getByText(text.subscription.acts.done.upgrade).waitFor();
    expect(model.applied).toHaveLength(1);
    await heading(page, text.plans.premium.name).waitFor();
    await visitor.leave();
  });

  test("a subscription that cannot be loaded says so and is asked for again", async () => {
    const model = billingModel();
    model.forced.set("GET /api/subscription", problem(503, "ledger_unavailable"));
    const { visitor, page } = await arrive(model, "/account/subscription");
    const failed = text.subscription.view.subscription.failed;
    await page.locator("p", { hasText: failed }).waitFor();
    model.forced.clear();
    await button(page, text.account.view.retry).press("Enter");
    await heading(page, text.subscription.firstRun.title).waitFor();
    expect(await page.locator("p", { hasText: failed }).count()).toBe(0);
    await visitor.leave();
  });

  test.each([true, false])("cancelling takes two steps (in the window: %s)", async (inWindow) => {
    const model = billingModel({ choice: premium, inWindow });
    const { visitor, page } = await arrive(model, "/account/subscription/cancel");
    const kind = inWindow ? "withdraw" : "cancel";
    const step = (name: "offered" | "confirming" | "done") =>
      text.subscription.cancel.steps[kind][name];
    await heading(page, step("offered")).waitFor();
    expect(await faultsOf(page)).toEqual([]);
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
    expect(await faultsOf(page)).toEqual([]);
    // The second press has not left the receipt.
    await heading(page, step("done")).waitFor();
    expect(model.applied).toHaveLength(1);
    await visitor.leave();
  });

  test("administrators release an account whose billing is stopped; others may not look", async () => {
    const accountId = "0f8fad5b-d9cb-469f-a165-708677289510";
    const since = "2026-03-01T08:00:00.000Z";
    const parked = [{ accountId, reason: "paid-twice", since }];
    const model = billingModel({ roles: ["holder", "administrator"], parked });
    const { visitor, page } = await arrive(model, "/console/status");
    await page.getByText(text.status.reasons["paid-twice"]).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.locator(".billing-table").getByRole("button").press("Enter");
    await page.getByRole("dialog").locator(".button--solid").click();
    await page.getByText(text.status.empty).waitFor();
    await visitor.leave();

    const other = await arrive(billingModel({ parked }), "/console/status");
    await heading(other.page, text.account.notAllowed.title).waitFor();
    await other.visitor.leave();
  });
});
