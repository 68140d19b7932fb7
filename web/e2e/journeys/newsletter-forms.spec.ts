import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, startPages, type Visitor } from "../fixtures.ts";
import { ForcedAnswers, takeReports } from "../forced-answers.ts";
import { accessibilityFaults, faultFinder } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const subscribePath = "/api/newsletter/subscribe";
const sent = { status: 200, body: { status: "confirmation_sent" } };
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });

type Form = { visitor: Visitor; page: Page; answers: ForcedAnswers; form: Locator };

/** @param timed by a clock of the journey, which stays with the context of the visit */
async function openForm(
  language: Language,
  path: string,
  selector: string,
  timed = false,
): Promise<Form> {
  const before = `${consentGiven}${faultFinder}`;
  const visitor = await stack.visit({ language, before, fresh: timed });
  const { page } = visitor;
  const answers = new ForcedAnswers();
  await takeReports(page);
  await answers.takeOver(page, subscribePath);
  if (timed) await page.clock.install();
  await visitor.open(path);
  return { visitor, page, answers, form: page.locator(selector) };
}

const email = (form: Locator): Locator => form.locator("[name=email]");
const consent = (form: Locator): Locator => form.locator("[name=consentText]");
const button = (form: Locator): Locator => form.locator("[type=submit]");

async function submit(form: Locator): Promise<void> {
  await email(form).fill("noa@example.com");
  await consent(form).check();
  await button(form).click();
}

/** Refusals of the platform and the texts for them. */
const refusals = [
  ["that status", { status: 409, body: { status: "already_subscribed" } }, "already"],
  ["that text", { status: 400, body: { error: "Email is Already Subscribed" } }, "already"],
  ["a text of its own", { status: 422, body: { error: "No such domain" } }, "own"],
  ["no text", { status: 503, body: {} }, "refused"],
] as const;
/** The texts are translations; what is done with them is the same: half are seen in each language. */
const refusalsIn = (language: Language) =>
  refusals.filter((_, index) => index % 2 === (language === "en" ? 0 : 1));

describe.each(["en", "he"] as const)("the newsletter form of the footer, in %s", (language) => {
  const { footer, errors } = texts[language].newsletter;
  const open = () => openForm(language, "/about", ".newsletter-form");

  test.each(refusalsIn(language))(
    "refused with %s, says so and keeps what was entered",
    async (_, answer, kind) => {
      const { visitor, page, answers, form } = await open();
      await submit(form);
      await answers.answer(answer);
      const texts = {
        already: errors.alreadySubscribed,
        own: "No such domain",
        refused: footer.refused,
      };
      const notice = form.locator(".notice--error");
      await notice.waitFor();
      expect(await notice.innerText()).toBe(texts[kind]);
      expect(await email(form).inputValue()).toBe("noa@example.com");
      expect(await button(form).isEnabled()).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
      await visitor.leave();
    },
  );
});

describe.each<Language>(["en"])("the newsletter form of the footer, in %s", (language) => {
  const { footer, consent: agreed } = texts[language].newsletter;
  const open = () => openForm(language, "/about", ".newsletter-form");

  test("does not subscribe without an address and consent", async () => {
    const { visitor, form } = await open();
    await eventually(async () => expect(await button(form).isDisabled()).toBe(true));
    await email(form).fill("noa@example.com");
    expect(await button(form).isDisabled()).toBe(true);
    await consent(form).check();
    await eventually(async () => expect(await button(form).isEnabled()).toBe(true));
    await email(form).fill("  ");
    await eventually(async () => expect(await button(form).isDisabled()).toBe(true));
    await visitor.leave();
  });

  test("sends what was agreed to, once, and the thanks take the place of the form", async () => {
    const { visitor, page, answers, form } = await open();
    await email(form).fill(" noa@example.com ");
    await consent(form).check();
    await button(form).dblclick();
    await eventually(() => expect(answers.waiting).toBe(1));
    expect(await button(form).isDisabled()).toBe(true);
    await answers.answer(sent);
    await page.getByText(footer.subscribed).waitFor();
    expect(await email(form).count()).toBe(0);
    expect(answers.calls).toHaveLength(1);
    expect(answers.calls[0]?.body).toEqual({
      email: "noa@example.com",
      language,
      sourceContext: "footer_form",
      consentText: agreed.text,
      preferences: { frequency: "weekly", topics: ["updates", "features"] },
      tags: [],
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("the newsletter form of the footer, in %s", (language) => {
  const { footer } = texts[language].newsletter;
  const open = () => openForm(language, "/about", ".newsletter-form");

  test("without a network says so, and the next try can succeed", async () => {
    const { visitor, page, answers, form } = await open();
    await submit(form);
    await answers.cut();
    await page.getByText(footer.network).waitFor();
    await button(form).click();
    await answers.answer(sent);
    await page.getByText(footer.subscribed).waitFor();
    expect(answers.calls).toHaveLength(2);
    await visitor.leave();
  });
});

describe.each(["en", "he"] as const)("the waitlist form, in %s", (language) => {
  const { waitlist, newsletter } = texts[language];
  const { errors } = newsletter;
  const open = () => openForm(language, "/signup", ".waitlist-form");

  test.each(refusalsIn(language))(
    "refused with %s, says so and is as before",
    async (_, answer, kind) => {
      const { visitor, answers, form } = await open();
      await submit(form);
      await answers.answer(answer);
      const texts = {
        already: errors.alreadySubscribed,
        own: "No such domain",
        refused: waitlist.refused,
      };
      const notice = form.locator(".notice--error");
      await notice.waitFor();
      expect(await notice.innerText()).toBe(texts[kind]);
      expect(await button(form).innerText()).toBe(waitlist.join);
      expect(await button(form).isEnabled()).toBe(true);
      await visitor.leave();
    },
  );
});

describe.each<Language>(["en"])("the waitlist form, in %s", (language) => {
  const { waitlist, newsletter } = texts[language];
  const { errors } = newsletter;
  const open = () => openForm(language, "/signup", ".waitlist-form");

  test("does not join without consent, and asks for the address with its own text", async () => {
    const { visitor, page, answers, form } = await open();
    await eventually(async () => expect(await button(form).isDisabled()).toBe(true));
    await consent(form).check();
    await button(form).click();
    await page.getByText(errors.emailRequired).waitFor();
    await page.locator("#waitlist-email:focus").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(answers.calls).toEqual([]);
    await visitor.leave();
  });

  test("without a network says so, and the next try can succeed", async () => {
    const { visitor, page, answers, form } = await open();
    await submit(form);
    await answers.cut();
    await page.getByText(waitlist.network).waitFor();
    await button(form).click();
    await answers.answer(sent);
    await page.getByText(waitlist.success).waitFor();
    expect(answers.calls).toHaveLength(2);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("the waitlist form, in %s", (language) => {
  const { waitlist, newsletter } = texts[language];
  const { consent: agreed } = newsletter;
  const open = () => openForm(language, "/signup", ".waitlist-form", true);

  test("says that it is sending, sends once, and thanks for ten seconds", async () => {
    const { visitor, page, answers, form } = await open();
    await submit(form);
    await eventually(async () => expect(await button(form).innerText()).toBe(waitlist.sending));
    expect(await button(form).isDisabled()).toBe(true);
    // The time of the page stands still from here, however long a check takes.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await answers.answer(sent);
    await page.getByText(waitlist.success).waitFor();
    expect(await button(form).innerText()).toBe(waitlist.done);
    expect(await email(form).isDisabled()).toBe(true);
    expect([await email(form).inputValue(), await consent(form).isChecked()]).toEqual(["", false]);
    await page.clock.runFor(9_999);
    expect(await page.getByText(waitlist.success).isVisible()).toBe(true);
    await page.clock.runFor(1);
    await page.getByText(waitlist.success).waitFor({ state: "detached" });
    expect(await button(form).innerText()).toBe(waitlist.join);
    expect(answers.calls).toHaveLength(1);
    expect(answers.calls[0]?.body).toEqual({
      email: "noa@example.com",
      language,
      sourceContext: "signup_page",
      consentText: agreed.text,
      preferences: { frequency: "weekly", topics: ["launch", "updates", "early_bird"] },
      tags: ["signup_page", "waitlist"],
    });
    // The check itself needs timers.
    await page.clock.resume();
    await submit(form);
    await answers.answer(sent);
    await page.getByText(waitlist.success).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await visitor.leave();
  });
});

test("two forms on one page: one does not fill in the other", async () => {
  const { visitor, page, form } = await openForm("en", "/signup", ".waitlist-form");
  await submit(form);
  expect(await email(page.locator(".newsletter-form")).inputValue()).toBe("");
  await visitor.leave();
});
