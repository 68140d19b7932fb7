import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, startPages, type Visitor } from "../fixtures.ts";
import { ForcedAnswers, takeReports } from "../forced-answers.ts";
import { accessibilityFaults, faultFinder, overflowFaults } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const contactPath = "/api/contact/send";
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });
const whole = {
  name: "Noa",
  email: "noa@example.com",
  subjectCategory: "bug",
  message: "The page does not open.",
};

type OpenForm = { visitor: Visitor; page: Page; answers: ForcedAnswers };

async function openForm(language: Language): Promise<OpenForm> {
  const before = `${consentGiven}${faultFinder}`;
  const visitor = await stack.visit({ language, before });
  const { page } = visitor;
  const answers = new ForcedAnswers();
  await takeReports(page);
  await answers.takeOver(page, contactPath);
  await visitor.open("/contact");
  return { visitor, page, answers };
}

const field = (page: Page, name: string): Locator => page.locator(`.contact-form [name=${name}]`);
const send = (page: Page): Locator => page.locator(".contact-form [type=submit]");
const errors = (page: Page): Promise<string[]> =>
  page.locator(".contact-form .field__error").allInnerTexts();

async function fill(page: Page, message: Partial<typeof whole> = whole): Promise<void> {
  const { subjectCategory, ...texts } = message;
  for (const [name, text] of Object.entries(texts)) await field(page, name).fill(text);
  if (subjectCategory !== undefined)
    await field(page, "subjectCategory").selectOption(subjectCategory);
}

async function sent(language: Language): Promise<OpenForm> {
  const opened = await openForm(language);
  await fill(opened.page);
  await send(opened.page).click();
  await eventually(() => expect(opened.answers.waiting).toBe(1));
  return opened;
}

describe.each(["en", "he"] as const)("the contact form in %s", (language) => {
  const { form, errors: say } = texts[language].contact;

  const faulty = [
    ["an address without a dot", { email: "noa@example" }, say.emailInvalid],
    ["an address that is never mailed", { email: "a..b@example.org" }, say.emailInvalid],
    ["nine characters", { message: "  too short  " }, say.messageTooShort],
    ["blanks for a name", { name: "   " }, say.nameRequired],
    ["no subject", { subjectCategory: "" }, say.subjectRequired],
  ] as const;
  // Half of them in each language.
  test.each(faulty.filter((_, index) => index % 2 === (language === "en" ? 0 : 1)))(
    "does not send %s",
    async (_, change, error) => {
      const { visitor, page, answers } = await openForm(language);
      await fill(page, { ...whole, ...change });
      await send(page).click();
      await eventually(async () => expect(await errors(page)).toEqual([error]));
      expect(answers.calls).toEqual([]);
      await visitor.leave();
    },
  );

  test.each([language === "en" ? "a refusal" : "no network"])(
    "after %s it gives the address to write to, keeps the text, and sends the same message again",
    async (failure) => {
      const { visitor, page, answers } = await sent(language);
      if (failure === "no network") await answers.cut();
      else await answers.answer({ status: 500, body: { code: "internal_error" } });
      const notice = page.locator(".notice--error:focus");
      await notice.waitFor();
      const address = "support@protalent.example";
      const text = failure === "no network" ? form.network : form.error;
      expect(await notice.innerText()).toBe(text.replace("{{email}}", address));
      expect(await notice.getByRole("link").getAttribute("href")).toBe(`mailto:${address}`);
      expect(await field(page, "message").inputValue()).toBe(whole.message);
      expect(await accessibilityFaults(page)).toEqual([]);
      await send(page).click();
      await answers.answer({ status: 200, body: { status: "received" } });
      await page.getByText(form.success).waitFor();
      const [first, again] = answers.calls;
      expect(again?.body).toEqual(first?.body);
      expect(again?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
      await visitor.leave();
    },
  );
});

describe.each<Language>(["en"])("the contact form in %s", (language) => {
  const { form, errors: say } = texts[language].contact;

  test("says everything that is missing, beside the fields and above them, with focus there", async () => {
    const { visitor, page, answers } = await openForm(language);
    await send(page).click();
    const due = [say.nameRequired, say.emailRequired, say.subjectRequired, say.messageRequired];
    await eventually(async () => expect(await errors(page)).toEqual(due));
    const summary = page.locator(".error-summary:focus");
    await summary.waitFor();
    expect(await summary.getByRole("listitem").allInnerTexts()).toEqual(due);
    expect(await summary.getByRole("heading").innerText()).toBe(form.problem);
    expect([...(await accessibilityFaults(page)), ...(await overflowFaults(page))]).toEqual([]);
    expect(answers.calls).toEqual([]);
    await visitor.leave();
  });

  test("while sending, nothing can be changed, and a second press sends nothing", async () => {
    const { visitor, page, answers } = await openForm(language);
    await fill(page);
    await send(page).dblclick();
    await eventually(() => expect(answers.waiting).toBe(1));
    expect(await send(page).innerText()).toBe(form.sending);
    for (const name of ["name", "email", "subjectCategory", "message"])
      expect(await field(page, name).isDisabled()).toBe(true);
    await answers.answer({ status: 200, body: { status: "received" } });
    await page.getByText(form.success).waitFor();
    expect(answers.calls).toHaveLength(1);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("the contact form in %s", (language) => {
  const { form } = texts[language].contact;

  test("success is said with focus and clears the form; writing again ends it", async () => {
    const { visitor, page, answers } = await sent(language);
    await answers.answer({ status: 200, body: { status: "received" } });
    await page.locator(".notice--success:focus").waitFor();
    for (const name of ["name", "email", "subjectCategory", "message"])
      expect(await field(page, name).inputValue()).toBe("");
    expect(await accessibilityFaults(page)).toEqual([]);
    await field(page, "name").fill("Noa");
    await page.getByText(form.success).waitFor({ state: "detached" });
    await visitor.leave();
  });

  test("says in which language it was written, how long that took, and nothing about the visitor", async () => {
    const { visitor, answers } = await sent(language);
    const [call] = answers.calls;
    expect(call?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(call?.body).toEqual({
      ...whole,
      subject: "bug",
      language,
      writingMs: expect.any(Number),
    });
    await visitor.leave();
  });
});

// What does not depend on the language is shown in one of them.
describe.each(["he"] as const)("the contact form in %s", (language) => {
  const { form, errors: say } = texts[language].contact;
  const { titleWithError } = texts[language].shell;

  test("leads from each line of the summary to its field, and editing it clears its error alone", async () => {
    const { visitor, page } = await openForm(language);
    await send(page).click();
    await page.getByRole("link", { name: say.emailRequired }).click();
    await page.locator("#contact-email:focus").waitFor();
    await page.keyboard.type("n");
    await eventually(async () =>
      expect(await errors(page)).toEqual([
        say.nameRequired,
        say.subjectRequired,
        say.messageRequired,
      ]),
    );
    await visitor.leave();
  });

  test("takes ten characters", async () => {
    const { visitor, page, answers } = await openForm(language);
    await fill(page, { ...whole, message: "ten chars!" });
    await send(page).click();
    await eventually(() => expect(answers.calls).toHaveLength(1));
    await visitor.leave();
  });

  test("asks for the writer's own subject under the category other, and takes it away again", async () => {
    const { visitor, page, answers } = await openForm(language);
    await fill(page);
    const subject = field(page, "subject");
    expect(await subject.isVisible()).toBe(false);
    await field(page, "subjectCategory").selectOption("other");
    await subject.waitFor();
    expect(await subject.inputValue()).toBe("");
    await send(page).click();
    await eventually(async () => expect(await errors(page)).toEqual([say.subjectRequired]));
    await page.getByRole("link", { name: say.subjectRequired }).click();
    await page.locator("#contact-subject:focus").waitFor();
    await subject.fill("Press");
    await field(page, "subjectCategory").selectOption("billing");
    await subject.waitFor({ state: "hidden" });
    await field(page, "subjectCategory").selectOption("other");
    expect(await subject.inputValue()).toBe("");
    await subject.fill("Press");
    await send(page).click();
    await eventually(() => expect(answers.calls).toHaveLength(1));
    expect(answers.calls[0]?.body).toMatchObject({ subject: "Press", subjectCategory: "other" });
    await visitor.leave();
  });

  test("the next message has its own idempotency key", async () => {
    const { visitor, page, answers } = await sent(language);
    await answers.answer({ status: 200, body: {} });
    await page.getByText(form.success).waitFor();
    await fill(page);
    await send(page).click();
    await eventually(() => expect(answers.calls).toHaveLength(2));
    const [first, second] = answers.calls.map(({ headers }) => headers["idempotency-key"]);
    expect(second).not.toBe(first);
    await visitor.leave();
  });

  test("an answer that the sign-in has ended forgets the token and leads to the sign-in", async () => {
    const { visitor, page, answers } = await openForm(language);
    await page.evaluate(() => localStorage.setItem("token", "worthless"));
    await fill(page);
    await send(page).click();
    await answers.answer({ status: 401 });
    await page.waitForURL("**/login?next=%2Fcontact");
    expect(answers.calls[0]?.headers["authorization"]).toBe("Bearer worthless");
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    await visitor.leave();
  });

  test("a refused form is named in the title, until it is corrected", async () => {
    const { visitor, page } = await openForm(language);
    const title = await page.title();
    await fill(page, { ...whole, name: "" });
    await send(page).click();
    await eventually(async () =>
      expect(await page.title()).toBe(titleWithError.replace("{{title}}", title)),
    );
    await field(page, "name").fill("Noa");
    await eventually(async () => expect(await page.title()).toBe(title));
    await visitor.leave();
  });

  test("going away and back keeps what was written, also by links, but not for a program", async () => {
    const { visitor, page, answers } = await openForm(language);
    await fill(page, { ...whole, subjectCategory: "other" });
    await field(page, "subject").fill("Press");
    await field(page, "website").evaluate((honeypot) => {
      if (honeypot instanceof HTMLInputElement) honeypot.value = "https://spam.example";
    });
    await page.locator("footer a[href='/about']").click();
    // The address changes before the page does.
    await page.locator(".contact-form").waitFor({ state: "detached" });
    await page.locator("footer a[href='/contact']").click();
    await field(page, "message").waitFor();
    const kept = { ...whole, subjectCategory: "other", subject: "Press", website: "" };
    for (const [name, value] of Object.entries(kept))
      await eventually(async () => expect(await field(page, name).inputValue()).toBe(value));
    await page.reload();
    await eventually(async () => expect(await field(page, "subject").inputValue()).toBe("Press"));
    await send(page).click();
    await answers.answer({ status: 200, body: { status: "received" } });
    await page.getByText(form.success).waitFor();
    expect(answers.calls[0]?.body).not.toHaveProperty("writingMs");
    await page.reload();
    expect(await page.evaluate(() => sessionStorage.getItem("contact-draft"))).toBeNull();
    expect(await field(page, "message").inputValue()).toBe("");
    await visitor.leave();
  });
});
