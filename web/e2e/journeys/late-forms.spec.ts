import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Stack, startPages, type Visitor } from "../fixtures.ts";
import { ForcedAnswers, routeReports } from "../forced-answers.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });
const application = "**/assets/*.js";
const machines = /\/assets\/\w+\.machine/;
const received = { status: 200, body: { status: "received" } };

const message = {
  name: "Noa",
  email: "noa@example.com",
  subjectCategory: "bug",
  message: "Forty-one keys on a slow telephone line.",
};
const forms = [
  {
    name: "contact",
    path: "/contact",
    call: "/api/contact/send",
    form: ".contact-form",
    entry: message,
  },
  {
    name: "newsletter",
    path: "/about",
    call: "/api/newsletter/subscribe",
    form: ".newsletter-form",
    entry: { email: "noa@example.com" },
  },
  {
    name: "waitlist",
    path: "/signup",
    call: "/api/newsletter/subscribe",
    form: ".waitlist-form",
    entry: { email: "noa@example.com" },
  },
] as const;
type Form = (typeof forms)[number];

type Opened = { visitor: Visitor; page: Page; answers: ForcedAnswers };

async function visit(call: string, before = ""): Promise<Opened> {
  const visitor = await stack.visit({ before: `${consentGiven}${before}`, fresh: true });
  const answers = new ForcedAnswers();
  await routeReports(visitor.page);
  await answers.takeOver(visitor.page, call);
  return { visitor, page: visitor.page, answers };
}

/** Holds requests to these addresses until it is released. */
async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  const released = Promise.withResolvers<undefined>();
  await page.route(address, async (route) => {
    await released.promise;
    await route.fallback();
  });
  return () => released.resolve(undefined);
}

async function fill(page: Page, { form, entry }: Form): Promise<void> {
  for (const [name, value] of Object.entries(entry)) {
    const control = page.locator(`${form} [name=${name}]`);
    if (name === "subjectCategory") await control.selectOption(value);
    else await control.pressSequentially(value);
  }
  const consent = page.locator(`${form} [name=consentText]`);
  if ((await consent.count()) > 0) await consent.check();
}

const button = (page: Page, { form }: Form) => page.locator(`${form} [type=submit]`);

/** Presses the button without waiting for the page that follows, which these journeys hold. */
async function press(page: Page, form: Form): Promise<void> {
  await eventually(async () => expect(await button(page, form).isEnabled()).toBe(true));
  await pressAgain(page, form);
}

const pressAgain = (page: Page, form: Form): Promise<void> =>
  button(page, form).evaluate((element) => {
    if (element instanceof HTMLElement) element.click();
  });

/** Resolves once the application runs: it asks for the machine's code when the form is touched. */
async function asksForMachine(page: Page, { form }: Form): Promise<void> {
  let asked = false;
  page.on("request", (request) => (asked ||= machines.test(request.url())));
  await eventually(async () => {
    await page.mouse.move(0, 0);
    await page.locator(form).hover();
    expect(asked).toBe(true);
  });
}

describe.each(forms)("the $name form on a slow phone", (form) => {
  test("posts itself with every value before the application has started", async () => {
    const { visitor, page, answers } = await visit(form.call);
    const release = await hold(page, application);
    await page.goto(form.path, { waitUntil: "commit" });
    await fill(page, form);
    await press(page, form);
    await eventually(() => expect(answers.waiting).toBe(1));
    expect(answers.calls[0]?.body).toMatchObject({ ...form.entry, language: "en" });
    expect(answers.calls[0]?.headers["content-type"]).toContain("urlencoded");
    release();
    await answers.answer(received);
    expect(answers.calls).toHaveLength(1);
    await visitor.leave();
  });

  test("loses no key and no press while the application and then the machine are late", async () => {
    const { visitor, page, answers } = await visit(form.call);
    const releaseMachine = await hold(page, machines);
    const release = await hold(page, application);
    await page.goto(form.path, { waitUntil: "commit" });
    const control = page.locator(`${form.form} [name=email]`);
    await control.pressSequentially("late.");
    release();
    await asksForMachine(page, form);
    await fill(page, form);
    await press(page, form);
    await pressAgain(page, form);
    expect(answers.calls).toEqual([]);
    releaseMachine();
    await eventually(() => expect(answers.waiting).toBe(1));
    const email = answers.calls[0]?.body;
    expect(email).toMatchObject({ ...form.entry, email: "late.noa@example.com" });
    await answers.answer(received);
    await page.locator(".notice--success").first().waitFor();
    expect(answers.calls).toHaveLength(1);
    await visitor.leave();
  });

  test("posts itself once with every value when the machine cannot be fetched", async () => {
    const { visitor, page, answers } = await visit(form.call);
    await page.route(machines, (route) => route.abort("failed"));
    await visitor.open(form.path);
    await fill(page, form);
    await eventually(async () => expect(await button(page, form).isEnabled()).toBe(true));
    await button(page, form).evaluate((element) => {
      // The page presses itself: nothing reaches it from outside while it is being left.
      setInterval(() => element instanceof HTMLElement && element.click(), 20);
    });
    await eventually(() => expect(answers.waiting).toBe(1));
    expect(answers.calls[0]?.headers["content-type"]).toContain("urlencoded");
    expect(answers.calls[0]?.body).toMatchObject(form.entry);
    await answers.answer(received);
    await page.waitForURL(`**${form.call}`);
    expect(answers.calls).toHaveLength(1);
    await visitor.leave();
  });

  test("offline says so, keeps what was entered, and sends it on the next press", async () => {
    const { visitor, page, answers } = await visit(form.call);
    const release = await hold(page, machines);
    await visitor.open(form.path);
    await fill(page, form);
    await page.context().setOffline(true);
    await page.unroute(machines);
    release();
    await button(page, form).click();
    const notice = page.locator(`${form.form} .notice--error`);
    await notice.waitFor();
    const { contact, newsletter, waitlist } = texts.en;
    const said = {
      contact: contact.form.network.replace("{{email}}", "support@protalent.example"),
      newsletter: newsletter.footer.network,
      waitlist: waitlist.network,
    };
    expect(await notice.innerText()).toBe(said[form.name]);
    expect(await page.title()).toContain("Error: ");
    expect(await page.locator(`${form.form} [name=email]`).inputValue()).toBe(form.entry.email);
    await page.context().setOffline(false);
    await button(page, form).click();
    await eventually(() => expect(answers.waiting).toBe(1));
    expect(answers.calls[0]?.body).toMatchObject(form.entry);
    await answers.answer(received);
    await page.locator(".notice--success").first().waitFor();
    await visitor.leave();
  });
});

/** Fills the contact form as soon as it is there, and presses its button some time later. */
const pressAfter = (ms: number): string => `(() => {
  const values = ${JSON.stringify(message)};
  const look = () => {
    const form = document.querySelector('.contact-form');
    if (form === null || form.querySelector('[type=submit]') === null) return requestAnimationFrame(look);
    for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = value;
    form.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    setTimeout(() => form.querySelector('[type=submit]').click(), ${ms});
  };
  if (location.pathname === '/contact') requestAnimationFrame(look);
})()`;

test("presses at varied moments arrive, each once", async () => {
  const kinds = new Set<string>();
  // At the last of them the page has long started, also on a busy machine.
  for (const moment of [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 100]) {
    const { visitor, page, answers } = await visit("/api/contact/send", pressAfter(moment * 25));
    for (const [address, ms] of [
      [application, 5 * moment],
      [machines, 100],
    ] as const)
      await page.route(address, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        await route.fallback();
      });
    await page.goto("/contact", { waitUntil: "commit" });
    await eventually(() => expect(answers.waiting).toBe(1));
    const [call] = answers.calls;
    expect(call?.body).toMatchObject(message);
    const plain = call?.headers["content-type"]?.includes("urlencoded") === true;
    kinds.add(plain ? "plain" : "script");
    await answers.answer(received);
    if (plain) await page.waitForURL("**/api/contact/send");
    else await page.locator(".notice--success").waitFor();
    expect(answers.calls).toHaveLength(1);
    await visitor.leave();
  }
  expect(kinds).toEqual(new Set(["plain", "script"]));
});
