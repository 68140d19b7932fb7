import { newsletterPages, newsletterPaths } from "@pro-talent/schemas/newsletter/categories";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import { type CaughtMail, linkIn } from "../mail-box.ts";
import { startStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 15_000, interval: 50 });
const heading = (page: Page): Promise<string> => page.locator("main h1").innerText();
const tokenOf = (link: string): string => new URL(link).searchParams.get("token") ?? "";

async function subscribe(language: Language, address: string): Promise<Visitor> {
  const visitor = await stack.visit({ language, before: consentGiven });
  const { page } = visitor;
  await visitor.open("/about");
  const form = page.locator(".newsletter-form");
  await form.locator("[name=email]").fill(address);
  await form.locator("[name=consentText]").check();
  await form.locator("[type=submit]").click();
  await page.getByText(texts[language].newsletter.footer.subscribed).waitFor();
  return visitor;
}

const preferencesOf = (token: string): Promise<Response> =>
  fetch(`${stack.origin}${newsletterPaths.preferences}?token=${token}`);

async function confirmed(
  language: Language,
  address: string,
): Promise<{ visitor: Visitor; welcome: CaughtMail }> {
  const visitor = await subscribe(language, address);
  const link = linkIn(await stack.mail.waitFor(address), newsletterPages.confirm);
  await visitor.open(new URL(link).pathname + new URL(link).search);
  await visitor.page.locator(".confirm-form [type=submit]").click();
  await visitor.page.waitForURL("**/newsletter/confirmed?email=*");
  return { visitor, welcome: await stack.mail.waitFor(address, 2) };
}

describe.each(["en", "he"] as const)("the way onto the list, in %s", (language) => {
  const say = texts[language];
  const address = `way-${language}@example.com`;

  test("goes through a mail that only its reader can confirm, once", async () => {
    const visitor = await subscribe(language, address);
    const { page } = visitor;
    const mail = await stack.mail.waitFor(address);
    const link = linkIn(mail, newsletterPages.confirm);

    // Mail scanners open the link and what it refers to, but press nothing.
    for (let opened = 0; opened < 3; opened++) {
      expect((await fetch(link)).status).toBe(200);
      const api = `${stack.origin}${newsletterPaths.confirm}?token=${tokenOf(link)}`;
      expect((await fetch(api)).ok).toBe(false);
      expect((await fetch(api, { method: "HEAD" })).ok).toBe(false);
    }

    await visitor.open(new URL(link).pathname + new URL(link).search);
    expect(await heading(page)).toBe(say.confirm.idle.title);
    await page.getByRole("button", { name: say.confirm.idle.confirm }).click();
    await page.waitForURL(`**/newsletter/confirmed?email=${encodeURIComponent(address)}`);
    expect(await page.locator(".confirmed__address").innerText()).toBe(
      `${say.confirmed.subscribedAs} ${address}`,
    );

    await visitor.open(new URL(link).pathname + new URL(link).search);
    await page.getByRole("button", { name: say.confirm.idle.confirm }).click();
    await eventually(async () => expect(await heading(page)).toBe(say.confirm.used.title));
    await visitor.leave();
  });

  test("is closed to an address that is on the list", async () => {
    const visitor = await stack.visit({ language, before: consentGiven });
    await visitor.open("/signup");
    const form = visitor.page.locator(".waitlist-form");
    await form.locator("[name=email]").fill(address.toUpperCase());
    await form.locator("[name=consentText]").check();
    await form.locator("[type=submit]").click();
    const notice = form.locator(".notice--error");
    await notice.waitFor();
    expect(await notice.innerText()).toBe(say.newsletter.errors.alreadySubscribed);
    await visitor.leave();
  });

  test("does not begin with a made-up token", async () => {
    const visitor = await stack.visit({ language, before: consentGiven });
    await visitor.open("/newsletter/confirm?token=bWFkZS11cA");
    await visitor.page.getByRole("button", { name: say.confirm.idle.confirm }).click();
    await eventually(async () =>
      expect(await heading(visitor.page)).toBe(say.confirm.unknown.title),
    );
    await visitor.leave();
  });
});

/** Presses the button in the first moment in which the application answers it. */
const pressesAtOnce = `${consentGiven}
  const watch = setInterval(() => {
    const form = document.querySelector(".confirm-form form");
    if (form === null || !Object.keys(form).some((key) => key.startsWith("__reactProps"))) return;
    clearInterval(watch);
    form.querySelector("[type=submit]").click();
  }, 0);`;

test("a press in the first moment confirms as well", async () => {
  const address = "at-once@example.com";
  const waiting = await subscribe("en", address);
  const link = new URL(linkIn(await stack.mail.waitFor(address), newsletterPages.confirm));
  await waiting.leave();
  const { page, leave } = await stack.visit({ language: "en", before: pressesAtOnce });
  await page.goto(link.pathname + link.search);
  await page.waitForURL("**/newsletter/confirmed?email=*");
  expect(new URL(page.url()).searchParams.get("email")).toBe(address);
  await leave();
});

describe.each(["en", "he"] as const)("the issue mails, in %s", (language) => {
  const say = texts[language].preferences;
  const address = `issues-${language}@example.com`;
  let visitor: Visitor;
  let token: string;
  let path: string;
  beforeAll(async () => {
    const { visitor: reader, welcome } = await confirmed(language, address);
    visitor = reader;
    const link = new URL(linkIn(welcome, newsletterPages.preferences));
    token = tokenOf(link.href);
    path = link.pathname + link.search;
  });
  afterAll(() => visitor.leave());

  test("are as the form promised, and become what their reader chooses", async () => {
    const { page } = visitor;
    await visitor.open(path);
    await page.getByLabel(say.frequency.monthly).check();
    await page.getByLabel(say.topics.features).uncheck();
    await page.getByRole("button", { name: say.save }).click();
    await page.getByText(say.saved).waitFor();
    expect(await (await preferencesOf(token)).json()).toMatchObject({
      status: "subscribed",
      email: address,
      language,
      frequency: "monthly",
      topics: ["updates"],
    });
  });

  test("do not end because a program opened the link that ends them", async () => {
    const link = `${stack.origin}${newsletterPaths.unsubscribe}?token=${token}`;
    const answer = await fetch(link, { redirect: "manual" });
    expect(answer.status).toBe(303);
    expect(await (await preferencesOf(token)).json()).toMatchObject({ status: "subscribed" });
  });

  test("have a link that a reader who lost it can ask for", async () => {
    const { page } = visitor;
    const before = (await stack.mail.to(address)).length;
    await visitor.open("/newsletter/preferences?token=bWFkZS11cA");
    await page.locator("#new-link-email").fill(address.toUpperCase());
    await page.getByRole("button", { name: say.newLink.send }).click();
    await page.getByText(say.newLink.sent).waitFor();
    const mail = await stack.mail.waitFor(address, before + 1);
    expect(tokenOf(linkIn(mail, newsletterPages.preferences))).toBe(token);
  });

  test("end with one press, and can begin again", async () => {
    const { page } = visitor;
    await visitor.open(path);
    await page.getByRole("button", { name: say.leave.press }).click();
    await eventually(async () => expect(await heading(page)).toBe(say.unsubscribed.title));
    expect(await (await preferencesOf(token)).json()).toMatchObject({ status: "unsubscribed" });
    await page.getByRole("link", { name: say.unsubscribed.again }).click();
    await page.waitForURL("**/signup");
    const before = (await stack.mail.to(address)).length;
    const form = page.locator(".waitlist-form");
    await form.locator("[name=email]").fill(address);
    await form.locator("[name=consentText]").check();
    await form.locator("[type=submit]").click();
    const again = await stack.mail.waitFor(address, before + 1);
    expect(linkIn(again, newsletterPages.confirm)).toContain("token=");
  });

  test("end when a mail program posts that they should (RFC 8058)", async () => {
    const reader = `one-click-${language}@example.com`;
    const { visitor: other, welcome } = await confirmed(language, reader);
    const manage = tokenOf(linkIn(welcome, newsletterPages.preferences));
    const posted = await fetch(`${stack.origin}${newsletterPaths.unsubscribe}?token=${manage}`, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      redirect: "manual",
    });
    expect(posted.ok || posted.status === 303).toBe(true);
    expect(await (await preferencesOf(manage)).json()).toMatchObject({ status: "unsubscribed" });
    await other.leave();
  });
});
