import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { EventObject, SnapshotFrom } from "xstate";
import { z } from "zod";

import type { contactMachine } from "../features/contact/contact-form.machine.ts";
import type { confirmMachine } from "../features/newsletter/confirmation/confirm.machine.ts";
import type { newsletterMachine } from "../features/newsletter/newsletter-form.machine.ts";
import { missingIn, type Trouble } from "../features/newsletter/subscribe.ts";
import type { waitlistMachine } from "../features/newsletter/waitlist-form.machine.ts";
import type { Language } from "./fixtures.ts";
import type { ForcedAnswer } from "./forced-answers.ts";
import { texts } from "./texts.ts";

const Answered = z.object({
  output: z.object({
    accepted: z.boolean().optional(),
    kind: z.string().optional(),
    email: z.string().optional(),
    text: z.string().optional(),
  }),
});

const statusOf: Readonly<Record<string, number>> = {
  subscribed: 200,
  confirmed: 200,
  resent: 200,
  already: 409,
  used: 409,
  expired: 410,
  unknown: 404,
  tooMany: 429,
  refused: 503,
  failed: 503,
};

/** The answer of the platform that causes this event; undefined for other events. */
export function answerOf(event: EventObject): ForcedAnswer | "cut" | undefined {
  if (event.type.startsWith("xstate.error.")) return "cut";
  if (!event.type.startsWith("xstate.done.")) return undefined;
  const { output } = Answered.parse(event);
  if (output.accepted !== undefined) return { status: output.accepted ? 200 : 500 };
  const { kind = "", email, text } = output;
  const body = kind === "already" ? { status: "already_subscribed" } : { email, error: text };
  return { status: statusOf[kind] ?? 500, body };
}

const Changed = z.object({ field: z.string(), value: z.string() });

/** Causes the event in the contact form. */
export async function doInContact(page: Page, event: EventObject): Promise<void> {
  if (event.type === "submit") return page.locator(".contact-form [type=submit]").click();
  const { field, value } = Changed.parse(event);
  const control = page.locator(`.contact-form [name=${field}]`);
  if (field === "subjectCategory") await control.selectOption(value);
  else await control.fill(value);
  return undefined;
}

const values = (page: Page, form: string): Promise<Record<string, string>> =>
  page
    .locator(`${form} [name]`)
    .evaluateAll((controls) =>
      Object.fromEntries(
        controls.map((control) => [
          control.getAttribute("name") ?? "",
          "value" in control ? String(control.value) : "",
        ]),
      ),
    );

/** Checks what the contact form shows in this state. */
export async function contactShows(
  page: Page,
  language: Language,
  { value, context }: SnapshotFrom<typeof contactMachine>,
): Promise<void> {
  const { form, errors } = texts[language].contact;
  const faults = Object.values(context.faults).filter((fault) => fault !== undefined);
  const { message, email, name, subjectCategory } = context.message;
  expect(await page.locator(".contact-form .field__error").allInnerTexts()).toEqual(
    faults.map((fault) => errors[fault]),
  );
  const held = await page.locator(".contact-form fieldset:disabled").count();
  expect(held).toBe(value === "sending" ? 1 : 0);
  const notice = page.locator(".contact-form .notice");
  expect(await notice.count()).toBe(value === "success" || value === "error" ? 1 : 0);
  if (value === "success") expect(await notice.innerText()).toBe(form.success);
  if (value === "error") expect(await notice.innerText()).toContain("support@protalent.example");
  expect(await values(page, ".contact-form")).toMatchObject({
    message,
    email,
    name,
    subjectCategory,
  });
}

const EntryChanged = z.object({ entry: z.object({ email: z.string(), consent: z.boolean() }) });

/** Causes the event in a newsletter or waitlist form. */
export async function doInSubscribeForm(
  page: Page,
  form: string,
  event: EventObject,
): Promise<void> {
  if (event.type === "changed") {
    const { entry } = EntryChanged.parse(event);
    await page.locator(`${form} [name=email]`).fill(entry.email);
    await page.locator(`${form} [name=consentText]`).setChecked(entry.consent);
    return;
  }
  if (event.type !== "submit") {
    // The remaining event is the timer of the success banner.
    await page.clock.fastForward(10_000);
    return;
  }
  // The button is disabled, but the machine must also refuse.
  await page.locator(`${form} [type=submit]`).evaluate((button) => {
    button.closest("form")?.requestSubmit();
  });
}

type Texts = { refused: string; network: string };

function textOf(trouble: Trouble | undefined, language: Language, own: Texts): string | undefined {
  const { errors } = texts[language].newsletter;
  if (trouble === undefined) return undefined;
  if (trouble.code === "server") return trouble.text;
  if (trouble.code === "refused" || trouble.code === "network") return own[trouble.code];
  return errors[trouble.code];
}

async function expectTrouble(page: Page, form: string, text: string | undefined): Promise<void> {
  const shown = page.locator(`${form} :is(.notice--error, .field__error)`);
  expect(await shown.allInnerTexts()).toEqual(text === undefined ? [] : [text]);
}

/** Checks what the newsletter form shows in this state. */
export async function newsletterShows(
  page: Page,
  language: Language,
  { value, context }: SnapshotFrom<typeof newsletterMachine>,
): Promise<void> {
  const { footer } = texts[language].newsletter;
  const form = page.locator(".newsletter-form form");
  expect(await form.count()).toBe(value === "subscribed" ? 0 : 1);
  const thanks = await page.locator(".newsletter-form .notice--success").allInnerTexts();
  expect(thanks).toEqual(value === "subscribed" ? [footer.subscribed] : []);
  if (value === "subscribed") return;
  expect(await form.getAttribute("aria-busy")).toBe(String(value === "submitting"));
  const enabled = value === "empty" && missingIn(context.entry) === undefined;
  expect(await form.locator("[type=submit]").isEnabled()).toBe(enabled);
  await expectTrouble(page, ".newsletter-form", textOf(context.trouble, language, footer));
}

/** Checks what the waitlist form shows in this state. */
export async function waitlistShows(
  page: Page,
  language: Language,
  { value, context }: SnapshotFrom<typeof waitlistMachine>,
): Promise<void> {
  const { waitlist } = texts[language].newsletter;
  const button = page.locator(".waitlist-form [type=submit]");
  const name = { idle: waitlist.join, submitting: waitlist.sending, success: waitlist.done }[value];
  expect(await button.innerText()).toBe(name);
  expect(await button.isEnabled()).toBe(value === "idle" && context.entry.consent);
  const held = await page.locator(".waitlist-form fieldset:disabled").count();
  expect(held).toBe(value === "success" ? 1 : 0);
  const banner = await page.locator(".waitlist-form .notice--success").allInnerTexts();
  expect(banner).toEqual(value === "success" ? [waitlist.success] : []);
  expect(await page.locator(".waitlist-form [name=email]").inputValue()).toBe(context.entry.email);
  await expectTrouble(page, ".waitlist-form", textOf(context.trouble, language, waitlist));
}

/** Presses the button of the confirmation page. */
export async function doInConfirm(page: Page): Promise<void> {
  await page.locator(".confirm-form [type=submit]").click();
}

/** Checks what the confirmation page shows in this state. */
export async function confirmShows(
  page: Page,
  language: Language,
  { value, context }: SnapshotFrom<typeof confirmMachine>,
): Promise<void> {
  const { confirm, confirmed } = texts[language];
  if (value === "confirmed") {
    expect(new URL(page.url()).pathname).toBe("/newsletter/confirmed");
    expect(await page.locator("main").innerText()).toContain(confirmed.subscribedAs);
    expect(await page.locator(".confirmed__address bdi").innerText()).toBe(context.email);
    return;
  }
  const titles = {
    idle: confirm.idle.title,
    confirming: confirm.idle.title,
    failed: confirm.idle.title,
    network: confirm.idle.title,
    used: confirm.used.title,
    unknown: confirm.unknown.title,
    expired: confirm.expired.title,
    resending: confirm.expired.title,
    resent: confirm.resent.title,
  };
  expect(await page.locator("main h1").innerText()).toBe(titles[value]);
  const trouble = {
    tooMany: confirm.expired.tooMany,
    failed: confirm.expired.failed,
    network: confirm.network,
  };
  const resendFailed = value === "expired" && context.resendTrouble !== undefined;
  const expected = {
    failed: [confirm.failed],
    network: [confirm.network],
    expired: resendFailed ? [trouble[context.resendTrouble ?? "failed"]] : [],
  };
  const shown = await page.locator(".confirm-form .notice--error").allInnerTexts();
  const due =
    value === "failed" || value === "network" || value === "expired" ? expected[value] : [];
  expect(shown).toEqual(due);
}
