import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import type { Demo } from "../../../infra/embedded/demo-world.ts";
import { faultsAtWidths, storedToken } from "../account-visitor.ts";
import { codeOf } from "../authenticator-code.ts";
import { type Language, type Visitor } from "../fixtures.ts";
import { linkIn } from "../mail-box.ts";
import { faultFinder } from "../page-faults.ts";
import { type OperatedStack, startStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

/** The life of an account before the launch: from a place on the waitlist to a sign-in with two factors. */
let stack: OperatedStack;
let demo: Demo;
beforeAll(async () => {
  stack = await startStack();
  demo = await stack.makeDemo();
}, 120_000);
afterAll(() => stack.stop());

const password = "seven grey herons at noon";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const inviting = "services/ledger/domains/waitlist/invite.cli.ts";
const granting = "services/accounts/grant.cli.ts";

/** The key as it is typed into an authenticator (RFC 4648, base 32). */
function readKey(shown: string): Buffer {
  const bits = (shown.match(/[A-Z2-7]/gu) ?? [])
    .map((digit) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(digit).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** From the form of the waitlist to the confirmed place. */
async function takePlace(
  { page, open }: Visitor,
  email: string,
  language: Language,
): Promise<void> {
  await open("/signup");
  const form = page.locator(".waitlist-form");
  await form.locator("[name=email]").fill(email);
  await form.locator("[name=consentText]").check();
  await form.locator("[type=submit]").press("Enter");
  await page.getByText(texts[language].waitlist.success).waitFor();
  await page.goto(linkIn(await stack.mail.waitFor(email), newsletterPages.confirm));
  await page.locator(".confirm-form [type=submit]").press("Enter");
  await page.waitForURL("**/newsletter/confirmed?email=*");
}

/** As an operator does it; a place is known a moment after its address was confirmed. */
async function inviteTo(email: string): Promise<string> {
  await vi.waitFor(
    async () => {
      expect(await stack.operate(inviting, email)).toContain("1 invited");
    },
    { timeout: 20_000, interval: 500 },
  );
  return vi.waitFor(
    async () => {
      const mails = await stack.mail.to(email);
      const mail = mails.find(({ text }) => text.includes("/join#token="));
      if (mail === undefined) throw new Error("No invitation was mailed");
      return linkIn(mail, "/join");
    },
    { timeout: 30_000, interval: 100 },
  );
}

async function join(page: Page, link: string, language: Language): Promise<void> {
  await page.goto(link);
  await page.locator("[name=fullName]").fill(language === "he" ? "נועה לוי" : "Noa Levi");
  await page.locator("[name=password]").fill(password);
  await page.locator("[name=terms]").check();
  await page.locator("[name=privacy]").check();
  await page.locator("[name=password]").press("Enter");
  await page.waitForURL("**/dashboard");
}

/** Sets up an authenticator. @returns its key, and a recovery code */
async function protect(page: Page, language: Language): Promise<{ key: Buffer; recovery: string }> {
  const { settings } = texts[language];
  await page.goto("/account/security");
  await button(page, settings.factors.setUp).press("Enter");
  const key = readKey(await page.locator(".totp__secret").innerText());
  expect(await faultsAtWidths(page)).toEqual([]);
  await page.locator(".totp [name=code]").fill(codeOf(key));
  await page.locator(".totp [name=code]").press("Enter");
  await page.locator(".codes").waitFor();
  const codes = await page.locator(".codes__list code").allInnerTexts();
  expect(codes).toHaveLength(10);
  await button(page, settings.codes.done).press("Enter");
  return { key, recovery: codes[0] ?? "" };
}

async function signOut(page: Page, language: Language): Promise<void> {
  await page.keyboard.press("Control+k");
  const commands = page.getByRole("dialog", { name: texts[language].account.commands.title });
  await commands.locator("input:focus").waitFor();
  await page.keyboard.type(texts[language].account.layout.signOut);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${stack.origin}/`);
  expect(await storedToken(page)).toBeNull();
}

/** Address and password; what follows depends on the account. */
async function givePassword(page: Page, email: string, given: string): Promise<void> {
  await page.goto("/login");
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=password]").fill(given);
  await page.locator("[name=password]").press("Enter");
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.locator("[name=code]").fill(code);
  await page.locator("[name=code]").press("Enter");
}

test.each(["he"] as const)(
  "in %s a place on the waitlist becomes an account with two factors, and one of staff",
  async (language) => {
    const { account, dashboard } = texts[language];
    const email = `life.${language}@example.com`;
    const visitor = await stack.visit({ language, before: `${consentGiven}${faultFinder}` });
    const { page } = visitor;
    await takePlace(visitor, email, language);
    const link = await inviteTo(email);
    await join(page, link, language);
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.getByText(dashboard.steps.protect.title).waitFor();

    const { key, recovery } = await protect(page, language);
    await signOut(page, language);
    await givePassword(page, email, password);
    await page.getByRole("heading", { level: 1, name: account.factor.title }).waitFor();
    expect(await storedToken(page)).toBeNull();
    expect(await faultsAtWidths(page)).toEqual([]);
    await giveCode(page, codeOf(key, 1));
    await page.waitForURL("**/dashboard");

    // A role ends every sign-in: the next call leads to the sign-in page, and back.
    expect(await stack.operate(granting, email, "officer")).toContain("It is officer now");
    await page.goto("/account/profile");
    await page.waitForURL("**/login?next=*");
    await page.locator("[name=email]").fill(email);
    await page.locator("[name=password]").fill(password);
    await page.locator("[name=password]").press("Enter");
    await button(page, account.factor.useRecovery).press("Enter");
    await giveCode(page, recovery);
    await page.waitForURL("**/account/profile");
    await page.goto("/dashboard");
    await page.getByText(dashboard.roles.officer).waitFor();

    // The link of the invitation has served its purpose.
    await page.evaluate(() => localStorage.removeItem("token"));
    await page.goto("about:blank");
    await page.goto(link);
    await page.locator("[name=fullName]").waitFor({ state: "detached" });
    await visitor.leave();
  },
);

test.each([
  ["en", "officer"],
  ["he", "administrator"],
] as const)("in %s the demo's %s signs in with the code that is shown", async (language, role) => {
  const { account, dashboard, status } = texts[language];
  const person = demo.people.find(({ name }) => name === role);
  const visitor = await stack.visit({ language, before: faultFinder });
  const { page } = visitor;
  await givePassword(page, person?.email ?? "", demo.password);
  await page.getByRole("heading", { level: 1, name: account.factor.title }).waitFor();
  await giveCode(page, codeOf(Buffer.from(person?.totpSecret ?? "", "hex")));
  await page.waitForURL("**/dashboard");
  await page.getByText(dashboard.roles[role], { exact: true }).waitFor();
  expect(await faultsAtWidths(page)).toEqual([]);
  // What only administrators open is named to them alone; a phone shows the first pages in its bar.
  await page.setViewportSize({ width: 1280, height: 800 });
  const link = page.getByRole("link", { name: account.layout.status, exact: true });
  expect(await link.count()).toBe(role === "administrator" ? 1 : 0);
  await page.goto("/console/status");
  const heading = page.getByRole("heading", { level: 1 });
  await heading.waitFor();
  const isShown = (await heading.innerText()) === status.title;
  expect(isShown).toBe(role === "administrator");
  await visitor.leave();
});
