import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import { privacyFormPages } from "@pro-talent/schemas/privacy/form";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import { linkIn } from "../mail-box.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "../page-faults.ts";
import { startStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const visit = (language: Language): Promise<Visitor> =>
  stack.visit({ language, before: `${consentGiven}${faultFinder}` });

async function expectNoFault(page: Page): Promise<void> {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect([...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([]);
  }
  expect(await accessibilityFaults(page)).toEqual([]);
}

/** The newest mail to an address, once there are so many: its code and its page. */
async function mailed(address: string, number: number): Promise<{ code: string; path: string }> {
  const mail = await stack.mail.waitFor(address, number);
  const link = new URL(linkIn(mail, privacyFormPages.status));
  const [code = ""] = /\b\d{8}\b/u.exec(mail.text) ?? [];
  return { code, path: link.pathname + link.hash };
}
const heading = (page: Page): Promise<string> => page.locator("main h1").innerText();

/** A confirmed subscriber of the newsletter. */
async function subscribe(language: Language, address: string): Promise<void> {
  const { page, leave } = await stack.visit({ language, javaScriptEnabled: false });
  await page.goto("/about");
  await page.locator(".newsletter-form [name=email]").fill(address);
  await page.locator(".newsletter-form [name=consentText]").check();
  await page.locator(".newsletter-form [type=submit]").click();
  const link = new URL(linkIn(await stack.mail.waitFor(address), newsletterPages.confirm));
  await page.goto(link.pathname + link.search);
  await page.locator(".confirm-form [type=submit]").click();
  await page.waitForURL("**/newsletter/confirmed?email=*");
  await stack.mail.waitFor(address, 2);
  await leave();
}

describe.each<Language>(["en"])("a privacy request without an account, in %s", (language) => {
  const say = texts[language].privacyRequest;
  const status = texts[language].privacyRequest.status;

  test("says what is missing, and is sent by the keyboard alone", async () => {
    const visitor = await visit(language);
    const { page } = visitor;
    await visitor.open(privacyFormPages.ask);
    expect(await heading(page)).toBe(say.title);
    // A form changes no value: each is corrected where it is shown.
    const corrections = page.getByRole("list", { name: say.corrections.title });
    expect(await corrections.getByRole("listitem").count()).toBe(4);
    expect(await page.getByRole("link", { name: say.corrections.write }).count()).toBe(1);
    await expectNoFault(page);
    await page.locator(".privacy-form [type=submit]").focus();
    await page.keyboard.press("Enter");
    await page.getByText(say.form.problem).waitFor();
    await page.locator("#privacy-type-access").focus();
    await page.keyboard.press("Space");
    await page.locator("#privacy-relation-mailbox").focus();
    await page.keyboard.press("Space");
    const address = `keyboard-${language}@example.com`;
    await page.locator("#privacy-email").focus();
    await page.keyboard.type(address);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: say.sent.title }).waitFor();
    await expectNoFault(page);
    const { code, path } = await mailed(address, 1);
    await visitor.open(path);
    await page.locator("#request-code").fill("1234");
    await page.keyboard.press("Enter");
    await page.getByText(status.errors.codeRequired).waitFor();
    await page.locator("#request-code").fill(code);
    await page.keyboard.press("Enter");
    await page.getByText(status.outcomes["nothing-held"]).waitFor();
    await expectNoFault(page);
    // No address names the request but by the fragment, which no server receives.
    expect(visitor.calls.map(({ body }) => JSON.stringify(body)).join("")).not.toContain(
      path.split("#")[1],
    );
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("about a subscription is scheduled after the code, and cancelled by the link", async () => {
    const address = `erased-${language}@example.com`;
    await subscribe(language, address);
    const visitor = await visit(language);
    const { page } = visitor;
    await visitor.open(privacyFormPages.ask);
    await page.locator("#privacy-type-delete").check();
    await page.locator("#privacy-relation-account").check();
    await page.getByRole("link", { name: say.form.recover }).waitFor();
    await page.locator("#privacy-relation-mailbox").check();
    await page.locator("#privacy-email").fill(address);
    await page.locator(".privacy-form [type=submit]").click();
    const { code, path } = await mailed(address, 3);
    await visitor.open(path);
    await page.locator("#request-code").fill("0000 0000");
    await page.getByRole("button", { name: status.code.verify }).click();
    await page.getByText(status.errors.codeWrong).waitFor();
    await expectNoFault(page);
    await page.locator("#request-code").fill(code);
    await page.getByRole("button", { name: status.code.verify }).click();
    await page.getByText(status.done.verify).waitFor();
    await expectNoFault(page);
    await stack.mail.waitFor(address, 4);
    await page.getByRole("button", { name: status.end.cancel }).click();
    await page.getByText(status.outcomes.cancelled).waitFor();
    await stack.mail.waitFor(address, 5);
    expect(visitor.noise.filter((line) => !line.includes("422"))).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("a privacy request without an account, in %s", (language) => {
  const status = texts[language].privacyRequest.status;

  test("works without scripts: form, code, end", async () => {
    const { page, leave } = await stack.visit({ language, javaScriptEnabled: false });
    const answer = async (): Promise<string> => {
      await page.waitForURL("**/answer#*");
      return page.locator(".answer__section:target h2").innerText();
    };
    const address = `plain-privacy-${language}@example.com`;
    await subscribe(language, address);
    await page.goto(privacyFormPages.ask);
    await page.locator("#privacy-type-access").check();
    await page.locator("#privacy-relation-mailbox").check();
    await page.locator("#privacy-email").fill(address);
    await page.locator(".privacy-form [type=submit]").click();
    expect(await answer()).toBe(texts[language].answer.privacyCodeSent.title);
    const { code, path } = await mailed(address, 3);
    const [, token = ""] = path.split("#");
    const enter = async (value: string) => {
      await page.goto(privacyFormPages.status);
      await page.locator("#plain-token").fill(token);
      await page.locator("#plain-code").fill(value);
    };
    await enter(code);
    await page.getByRole("button", { name: status.code.verify }).click();
    expect(await answer()).toBe(texts[language].answer.privacyVerified.title);
    await enter("");
    await page.getByRole("button", { name: status.end.plain }).click();
    expect(await answer()).toBe(texts[language].answer.privacyEnded.title);
    await leave();
  });

  test("a link that is not whole leads to the form", async () => {
    const visitor = await visit(language);
    await visitor.open(`${privacyFormPages.status}#made-up`);
    await vi.waitFor(async () => expect(await heading(visitor.page)).toBe(status.unknown.title));
    await expectNoFault(visitor.page);
    await visitor.leave();
  });
});
