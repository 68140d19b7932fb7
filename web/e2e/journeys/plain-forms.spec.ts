import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Stack, type Visitor } from "../fixtures.ts";
import { linkIn } from "../mail-box.ts";
import { startStack } from "../products.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const support = "support@protalent.example";

describe.each(["en", "he"] as const)("without scripts, in %s", (language) => {
  const say = texts[language];
  const whole = {
    name: "Noa",
    email: `plain-${language}@example.com`,
    message: `The page does not open in ${language}.\nNot at all.`,
  };
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await stack.visit({ language, javaScriptEnabled: false });
  });
  afterAll(() => visitor.leave());

  /** Heading of the section that the answer page shows. */
  const answer = async (): Promise<string> => {
    await visitor.page.waitForURL("**/answer#*");
    return visitor.page.locator(".answer__section:target h2").innerText();
  };
  const subscribe = async (path: string, form: string, address: string): Promise<void> => {
    const { page } = visitor;
    await page.goto(path);
    await page.locator(`${form} [name=email]`).fill(address);
    await page.locator(`${form} [name=consentText]`).check();
    await page.locator(`${form} [type=submit]`).click();
  };

  test("a contact message arrives, and both sides hear of it", async () => {
    const { page } = visitor;
    await page.goto("/contact");
    for (const [name, text] of Object.entries(whole))
      await page.locator(`.contact-form [name=${name}]`).fill(text);
    await page.locator(".contact-form [name=subjectCategory]").selectOption("bug");
    await page.locator(".contact-form [type=submit]").click();
    expect(await answer()).toBe(say.answer.contactReceived.title);
    const acknowledged = await stack.mail.waitFor(whole.email);
    expect(acknowledged.text).not.toBe("");
    const notifications = async () => (await stack.mail.to(support)).map(({ text }) => text);
    await expect
      .poll(notifications, { timeout: 30_000 })
      .toContainEqual(expect.stringContaining(`does not open in ${language}.\n> Not at all.`));
  });

  test("a message that is not complete says so, and the way back keeps what was written", async () => {
    const { page } = visitor;
    await page.goto("/contact");
    await page.locator(".contact-form [name=name]").fill("Noa");
    await page.locator(".contact-form [type=submit]").click();
    expect(await answer()).toBe(say.answer.contactIncomplete.title);
    await page.goBack();
    expect(await page.locator(".contact-form [name=name]").inputValue()).toBe("Noa");
  });

  test("the footer subscribes: mail, press, receipt", async () => {
    const { page } = visitor;
    const address = `footer-${language}@example.com`;
    await subscribe("/about", ".newsletter-form", address);
    expect(await answer()).toBe(say.answer.subscribeSent.title);
    const link = new URL(linkIn(await stack.mail.waitFor(address), newsletterPages.confirm));
    await page.goto(link.pathname + link.search);
    await page.locator(".confirm-form [type=submit]").click();
    await page.waitForURL("**/newsletter/confirmed?email=*");
    expect(new URL(page.url()).searchParams.get("email")).toBe(address);
    await page.goto(link.pathname + link.search);
    await page.locator(".confirm-form [type=submit]").click();
    expect(await answer()).toBe(say.answer.confirmUsed.title);
    await subscribe("/about", ".newsletter-form", address);
    expect(await answer()).toBe(say.answer.subscribeAlready.title);
  });

  test("the waitlist subscribes, and the subscriber can change preferences and unsubscribe", async () => {
    const { page } = visitor;
    const address = `waiting-${language}@example.com`;
    await subscribe("/signup", ".waitlist-form", address);
    expect(await answer()).toBe(say.answer.subscribeSent.title);
    const link = new URL(linkIn(await stack.mail.waitFor(address), newsletterPages.confirm));
    await page.goto(link.pathname + link.search);
    await page.locator(".confirm-form [type=submit]").click();
    await page.waitForURL("**/newsletter/confirmed?email=*");
    const welcome = await stack.mail.waitFor(address, 2);
    const manage = new URL(linkIn(welcome, newsletterPages.preferences));
    await page.goto(manage.pathname + manage.search);
    await page.locator("#preference-monthly").check();
    await page.getByRole("button", { name: say.preferences.save }).click();
    expect(await answer()).toBe(say.answer.preferencesSaved.title);
    await page.goto(manage.pathname + manage.search);
    await page.getByRole("button", { name: say.preferences.leave.press }).click();
    expect(await answer()).toBe(say.answer.unsubscribed.title);
  });

  test("the link that ends all mail: page, press, and no further mail", async () => {
    const { page } = visitor;
    const address = `never-${language}@example.com`;
    await subscribe("/about", ".newsletter-form", address);
    expect(await answer()).toBe(say.answer.subscribeSent.title);
    const link = new URL(linkIn(await stack.mail.waitFor(address), newsletterPages.never));
    await page.goto(link.pathname + link.search);
    await page.getByRole("button", { name: say.never.press }).click();
    expect(await answer()).toBe(say.answer.neverDone.title);
    const scripted = await stack.visit({ language });
    await scripted.open(link.pathname + link.search);
    await scripted.page.getByRole("button", { name: say.never.press }).click();
    await scripted.page.waitForURL("**/answer#never-done");
    expect(scripted.noise).toEqual([]);
    await scripted.leave();
    await page.goto("/newsletter/never?token=bWFkZS11cA");
    await page.getByRole("button", { name: say.never.press }).click();
    expect(await answer()).toBe(say.answer.neverFailed.title);
  });

  test("the other language keeps the link of a mail", async () => {
    const { page } = visitor;
    const other = language === "en" ? "he" : "en";
    await page.goto("/newsletter/confirm?token=bWFkZS11cA");
    await page.getByRole("button", { name: say.shell.language[other] }).click();
    await page.locator(`html[lang=${other}]`).waitFor();
    expect(new URL(page.url()).searchParams.get("token")).toBe("bWFkZS11cA");
    await page.context().clearCookies();
  });

  test("a made-up token is reported as unknown", async () => {
    await visitor.page.goto("/newsletter/confirm?token=bWFkZS11cA");
    await visitor.page.locator(".confirm-form [type=submit]").click();
    expect(await answer()).toBe(say.answer.confirmUnknown.title);
  });
});
