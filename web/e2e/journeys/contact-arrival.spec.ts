import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import { startStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const patience = { timeout: 30_000, interval: 100 };
const support = "support@protalent.example";

async function write(language: Language, address: string): Promise<Visitor> {
  const visitor = await stack.visit({ language, before: consentGiven });
  const { page } = visitor;
  await visitor.open("/contact");
  await page.locator("#contact-name").pressSequentially("Noa", { delay: 200 });
  await page.locator("#contact-email").fill(address);
  await page.locator("#contact-category").selectOption("other");
  await page.locator("#contact-subject").fill("A question from the press");
  await page.locator("#contact-message").pressSequentially(`Written by ${address}.`, { delay: 60 });
  return visitor;
}

describe.each<Language>(["en"])("a contact message in %s", (language) => {
  const { form } = texts[language].contact;

  test("arrives, is acknowledged to its writer, and notifies the support", async () => {
    const address = `writer-${language}@example.com`;
    const { page, leave } = await write(language, address);
    await page.locator(".contact-form [type=submit]").click();
    await page.getByText(form.success).waitFor();
    await stack.mail.waitFor(address);
    const notified = await vi.waitFor(async () => {
      const mails = await stack.mail.to(support);
      const about = mails.find(({ text }) => text.includes(`Written by ${address}.`));
      if (about === undefined) throw new Error("no notification");
      return about;
    }, patience);
    expect(notified.text).toContain("A question from the press");
    await leave();
  });
});

describe.each<Language>(["he"])("a contact message in %s", (language) => {
  const { form } = texts[language].contact;

  test("whose answer got lost is sent again and arrives once", async () => {
    const address = `unsure-${language}@example.com`;
    const { page, leave } = await write(language, address);
    let lost = 0;
    await page.route("**/api/contact/send", async (route) => {
      if (lost > 0) return route.continue();
      // The platform receives the message, but the browser gets no answer.
      await route.fetch();
      lost += 1;
      return route.abort("connectionreset");
    });
    await page.locator(".contact-form [type=submit]").click();
    await page.locator(".notice--error").waitFor();
    await page.locator(".contact-form [type=submit]").click();
    await page.getByText(form.success).waitFor();
    await stack.mail.waitFor(address);

    // A later message has arrived, so nothing of the earlier one is still on its way.
    const later = `later-${language}@example.com`;
    const next = await write(language, later);
    await next.page.locator(".contact-form [type=submit]").click();
    await next.page.getByText(form.success).waitFor();
    await stack.mail.waitFor(later);
    expect(await stack.mail.to(address)).toHaveLength(1);
    expect(lost).toBe(1);
    await next.leave();
    await leave();
  });
});
