import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { storedToken } from "../account-visitor.ts";
import { type Language, type Visitor } from "../fixtures.ts";
import { linkIn } from "../mail-box.ts";
import { accessibilityFaults, faultFinder, overflowFaults } from "../page-faults.ts";
import { type OperatedStack, startOpenStack } from "../products.ts";
import { texts } from "../texts.ts";

/**
 * A plan from the checkout to its refund, and another one from a failed renewal to its end, through the
 * whole product and the sandbox's own pages.
 */
let stack: OperatedStack;
beforeAll(async () => {
  stack = await startOpenStack();
});
afterAll(() => stack.stop());

const patience = { timeout: 20_000, interval: 100 };
const password = "seven grey herons at noon";
const addressOf = (language: Language): string => `buyer.${language}@example.com`;
const checkoutPath = "/checkout?plan=essential&cycle=monthly";
const otherPath = "/checkout?plan=essential&cycle=annual";
const moveClock = (by: string) => stack.operate("infra/embedded/clock.cli.ts", by);

const card = (page: Page, name: string) => page.locator(`button[name=card][value=${name}]`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const order = (page: Page) => page.locator(".checkout__press button");
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

/** Joins with the mailed link, which leads on to the checkout. */
async function join(page: Page, language: Language): Promise<void> {
  const email = addressOf(language);
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
  await page.locator("[name=password]").fill(password);
  await page.locator("[name=terms]").check();
  await page.locator("[name=privacy]").check();
  await page.locator("[name=password]").press("Enter");
  await page.waitForURL(/\/checkout\?/u);
}

async function signIn(page: Page, language: Language): Promise<void> {
  await page.locator("[name=email]").fill(addressOf(language));
  await page.locator("[name=password]").fill(password);
  await page.locator("[name=password]").press("Enter");
}

/** Ends the sign-in session on the server; this browser keeps its token and knows nothing of it. */
const endSession = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem("token") ?? ""}` };
    return (await fetch("/api/account/sign-out", { method: "POST", headers })).status;
  });

async function agree(page: Page): Promise<void> {
  await order(page).waitFor();
  for (const box of await page.getByRole("checkbox").all()) await box.check();
}

async function agreeAndOrder(page: Page): Promise<void> {
  await agree(page);
  await order(page).press("Enter");
}

const toProvider = (page: Page) => page.waitForURL("**/sandbox-payments/checkout/**");

async function sandboxFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await accessibilityFaults(page)), ...(await overflowFaults(page)));
  }
  return faults;
}

/** Waits for what a process does after a payment, without a notice to the page. */
async function shownLater(page: Page, text: string): Promise<void> {
  await vi.waitFor(async () => {
    await page.goto("/account/subscription");
    await page.getByText(text).first().waitFor({ timeout: 3000 });
  }, patience);
}

/** The document of a row: downloaded once with its ticket, and with no other request. */
async function downloadInvoice(page: Page): Promise<void> {
  const begun = page.waitForEvent("download");
  await page.locator(".reading-table").getByRole("button", { name: /PDF/u }).first().press("Enter");
  const download = await begun;
  const content = await readFile(await download.path());
  expect(content.subarray(0, 5).toString("latin1")).toBe("%PDF-");
  expect(await fetchStatus(page, download.url())).toBe(401);
}

const fetchStatus = (page: Page, url: string): Promise<number> =>
  page.evaluate(async (address) => (await fetch(address)).status, url);

/** A ticket for the newest document, not used yet. @returns the address of its download */
const takeTicket = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem("token") ?? ""}`,
      "content-type": "application/json",
    };
    const listed: unknown = await (await fetch("/api/invoices", { headers })).json();
    const [, id = ""] = /"documentId":"([^"]+)"/u.exec(JSON.stringify(listed)) ?? [];
    const path = `/api/invoices/${id}/pdf`;
    const sent = { method: "POST", headers, body: JSON.stringify({ path }) };
    const answer: unknown = await (await fetch("/api/account/tickets", sent)).json();
    const [, ticket = ""] = /"ticket":"([^"]+)"/u.exec(JSON.stringify(answer)) ?? [];
    return `${path}?ticket=${encodeURIComponent(ticket)}`;
  });

const mailsWith = async (language: Language, subject: RegExp) =>
  (await stack.mail.to(addressOf(language))).filter((mail) => subject.test(mail.subject));
const mailArrives = (language: Language, subject: RegExp) =>
  vi.waitFor(async () => expect(await mailsWith(language, subject)).not.toEqual([]), patience);

async function visit(language: Language): Promise<Visitor> {
  const visitor = await stack.visit({ language });
  await visitor.page.context().addInitScript(faultFinder);
  return visitor;
}

test("in Hebrew a plan is bought although the bank was left, raised, lowered, kept and returned", async () => {
  const language = "he";
  const { checkout, subscription, plans } = texts[language];
  const visitor = await visit(language);
  const { page } = visitor;
  await join(page, language);
  await order(page).press("Enter");
  await heading(page, checkout.consents.required).waitFor();
  await agreeAndOrder(page);
  await toProvider(page);
  expect(await sandboxFaults(page)).toEqual([]);
  await card(page, "declined").press("Enter");
  await page.locator("[role=alert]").waitFor();
  await card(page, "challenge").press("Enter");
  await page.waitForURL("**/sandbox-payments/challenge/**");
  expect(await sandboxFaults(page)).toEqual([]);
  // The bank's page is left: nothing is bought, and the choice is still there.
  await page.locator(`a[href*="/checkout?"]`).press("Enter");
  await page.waitForURL(`**${checkoutPath}`);
  await agreeAndOrder(page);
  await toProvider(page);
  await card(page, "challenge").press("Enter");
  await page.locator("button[value=approve]").press("Enter");
  await heading(page, checkout.return.completed.title).waitFor();

  await page.goto("/account/subscription");
  await page
    .getByText(/(?:^|\D)14(?:\D|$)/u)
    .first()
    .waitFor();
  await shownLater(page, subscription.invoices.kind.invoice);
  await downloadInvoice(page);
  const act = async (row: string, done: string): Promise<void> => {
    await page.locator(".act-row", { hasText: row }).first().getByRole("button").press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.locator(".button--solid").press("Enter");
    await page.locator(".notice", { hasText: done }).waitFor();
  };
  await act(plans.premium.name, subscription.acts.done.upgrade);
  await page.locator(".page-header", { hasText: plans.premium.name }).waitFor();
  await act(plans.essential.name, subscription.acts.done.downgrade);
  await act(subscription.acts["drop-downgrade"].title, subscription.acts.done["drop-downgrade"]);

  await page.goto("/account/subscription/cancel");
  await button(page, subscription.cancel.now).press("Enter");
  await button(page, subscription.acts.withdraw.confirm).press("Enter");
  await page.locator(".cancellation[data-step=done]").waitFor();
  await page.getByText(subscription.cancel.received, { exact: true }).waitFor();
  await shownLater(page, subscription.invoices.kind["credit-note"]);
  await mailArrives(language, /^ביטול העסקה אושר/u);
  await visitor.leave();
});

describe("in English", () => {
  const language = "en";
  const { account, checkout, dashboard, subscription } = texts[language];
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await visit(language);
  });
  afterAll(() => visitor.leave());

  test("a sign-in that ended keeps the choice; of two tabs that pay, one is charged", async () => {
    const { page } = visitor;
    await join(page, language);
    await page.locator("#cycle-annual").check();
    await agree(page);
    // Without the session a quote that is still asked for would lead to the sign-in page by itself.
    await page.locator(".checkout__sheet[aria-busy=false]").waitFor();
    await order(page).focus();
    expect(await endSession(page)).toBe(200);
    // Anything the page asks for in between finds the session ended too, and leads there before the press.
    await page.keyboard.press("Enter");
    await page.waitForURL("**/login?next=*");
    expect(await storedToken(page)).toBeNull();
    await signIn(page, language);
    await page.waitForURL(`**${otherPath}`);
    await page.locator("#cycle-monthly").check();
    await agreeAndOrder(page);
    await toProvider(page);
    expect(await sandboxFaults(page)).toEqual([]);
    // Back from the provider's page: the checkout as it was, and the next press leads on.
    await page.goBack();
    await agreeAndOrder(page);
    await toProvider(page);
    const other = await page.context().newPage();
    await other.goto(checkoutPath);
    await agreeAndOrder(other);
    await toProvider(other);
    await card(page, "no-funds-later").press("Enter");
    await heading(page, checkout.return.completed.title).waitFor();
    await card(other, "no-funds-later").press("Enter");
    await heading(other, checkout.return.refunded.title).waitFor();
    await other.goto(checkoutPath);
    await other.getByText(checkout.blocked.subscribed.title).waitFor();
    await other.close();
  });

  test("a renewal that fails is mailed and paid with another card; cancelling asks who it is", async () => {
    const { page } = visitor;
    await shownLater(page, subscription.invoices.kind.invoice);
    const ticket = await takeTicket(page);
    await moveClock("+1mo");
    await moveClock("+36h");
    await mailArrives(language, /^Your payment failed/u);
    // A ticket lives for a minute.
    expect(await fetchStatus(page, ticket)).toBe(401);
    await page.goto("/account/subscription");
    // A sign-in session has ended in the meantime.
    await page.waitForURL("**/login?next=*");
    await signIn(page, language);
    await page.waitForURL("**/account/subscription");
    await page.goto("/dashboard");
    await heading(page, dashboard.steps["payment-failed"].title).waitFor();
    await page.getByRole("link", { name: dashboard.steps["payment-failed"].action }).press("Enter");
    const failed = heading(page, subscription.attention["payment-failed"].title);
    await failed.waitFor();
    await button(page, subscription.card.replace).press("Enter");
    await toProvider(page);
    await card(page, "success").press("Enter");
    await page.waitForURL("**/account/subscription**");
    await shownLater(page, "4242");
    await failed.waitFor({ state: "detached" });
    await moveClock("+1h");
    await page.goto("/account/subscription/cancel");
    await button(page, subscription.cancel.now).press("Enter");
    await button(page, subscription.acts.cancel.confirm).press("Enter");
    const dialog = page.getByRole("dialog", { name: account.stepUp.title });
    await dialog.locator("[name=password]").fill(password);
    await dialog.locator("[name=password]").press("Enter");
    await page.locator(".cancellation[data-step=done]").waitFor();
    await mailArrives(language, /^Your subscription is cancelled/u);
  }, 120_000);
});
