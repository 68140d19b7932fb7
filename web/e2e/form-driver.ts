import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { EventObject, SnapshotFrom } from "xstate";
import { z } from "zod";

import type { contactMachine } from "../features/contact/contact.machine.ts";
import { textIn } from "../features/form-machine.ts";
import type { confirmMachine } from "../features/newsletter/confirmation/confirm.machine.ts";
import type {
  newsletterMachine,
  Trouble,
  waitlistMachine,
} from "../features/newsletter/subscribe.machine.ts";
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

/** The answers of the platform by the result that a machine receives. */
const answers: Readonly<Record<string, ForcedAnswer>> = {
  subscribed: { status: 200, body: { status: "confirmation_sent" } },
  already: { status: 409, body: { status: "already_subscribed" } },
  confirmed: { status: 200 },
  resent: { status: 200, body: { status: "confirmation_sent" } },
  used: { status: 409, body: { code: "token_used" } },
  superseded: { status: 410, body: { code: "token_superseded" } },
  expired: { status: 410, body: { code: "token_expired" } },
  unknown: { status: 404, body: { code: "token_unknown" } },
  tooMany: { status: 429, body: { code: "rate_limited" } },
  failed: { status: 503, body: { code: "ledger_unavailable" } },
};

/** The answer of the platform that causes this event; undefined for other events. */
export function answerOf(event: EventObject): ForcedAnswer | "cut" | undefined {
  if (event.type.startsWith("xstate.error.")) return "cut";
  if (!event.type.startsWith("xstate.done.")) return undefined;
  const { output } = Answered.parse(event);
  if (output.accepted !== undefined) return { status: output.accepted ? 200 : 500 };
  const { kind = "", email, text } = output;
  if (kind === "confirmed") return { status: 200, body: { status: "confirmed", email } };
  return answers[kind] ?? { status: 503, body: { code: "internal_error", error: text } };
}

const Submitted = z.object({ data: z.instanceof(FormData) });
const Edited = z.object({ field: z.string() });

/** Causes the event in the contact form: a submission fills in its values first. */
export async function doInContact(page: Page, event: EventObject): Promise<void> {
  const control = (field: string) => page.locator(`.contact-form [name=${field}]`);
  if (event.type === "edited") {
    const { field } = Edited.parse(event);
    await control(field).fill("changed");
    return;
  }
  const { data } = Submitted.parse(event);
  for (const field of data.keys()) {
    const value = textIn(data, field);
    if (field === "subjectCategory") await control(field).selectOption(value);
    else if (await control(field).isVisible()) await control(field).fill(value);
  }
  await page.locator(".contact-form [type=submit]").click();
}

/** Checks what the contact form shows in this state. */
export async function contactShows(
  page: Page,
  language: Language,
  { value, context }: SnapshotFrom<typeof contactMachine>,
): Promise<void> {
  const { form, errors } = texts[language].contact;
  const faults = Object.values(context.faults).filter((fault) => fault !== undefined);
  expect(await page.locator(".contact-form .field__error").allInnerTexts()).toEqual(
    faults.map((fault) => errors[fault]),
  );
  const held = await page.locator(".contact-form fieldset:disabled").count();
  expect(held).toBe(value === "sending" ? 1 : 0);
  const notice = page.locator(".contact-form .notice");
  expect(await notice.count()).toBe(value === "success" || value === "error" ? 1 : 0);
  const email = "support@protalent.example";
  if (value === "error") {
    const text = context.trouble === "network" ? form.network : form.error;
    expect(await notice.innerText()).toBe(text.replace("{{email}}", email));
  }
  if (value === "success") {
    expect(await notice.innerText()).toBe(form.success);
    for (const field of ["name", "email", "subjectCategory", "message"])
      expect(await page.locator(`.contact-form [name=${field}]`).inputValue()).toBe("");
  }
  const refused = value === "error" || faults.length > 0;
  expect(await isTitledError(page, language)).toBe(refused);
}

async function isTitledError(page: Page, language: Language): Promise<boolean> {
  const prefix = texts[language].shell.titleWithError.replace("{{title}}", "");
  return (await page.title()).startsWith(prefix);
}

/** Causes the event in a newsletter or waitlist form: a submission fills in its values first. */
export async function doInSubscribeForm(
  page: Page,
  form: string,
  event: EventObject,
): Promise<void> {
  const email = page.locator(`${form} [name=email]`);
  if (event.type === "edited") {
    await email.fill("changed@example.com");
    return;
  }
  if (event.type !== "submit") {
    // The remaining event is the timer of the success banner.
    await page.clock.fastForward(10_000);
    return;
  }
  const { data } = Submitted.parse(event);
  await email.fill(textIn(data, "email"));
  await page.locator(`${form} [name=consentText]`).setChecked(data.get("consentText") !== "");
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
  const filled = (await form.locator("[name=email]").inputValue()) !== "";
  const agreed = await form.locator("[name=consentText]").isChecked();
  const enabled = value === "empty" && filled && agreed;
  expect(await form.locator("[type=submit]").isEnabled()).toBe(enabled);
  await expectTrouble(page, ".newsletter-form", textOf(context.trouble, language, footer));
}

/** Checks what the waitlist form shows in this state. */
export async function waitlistShows(
  page: Page,
  language: Language,
  { value, context }: SnapshotFrom<typeof waitlistMachine>,
): Promise<void> {
  const { waitlist } = texts[language];
  const button = page.locator(".waitlist-form [type=submit]");
  const name = { idle: waitlist.join, submitting: waitlist.sending, success: waitlist.done }[value];
  expect(await button.innerText()).toBe(name);
  const agreed = await page.locator(".waitlist-form [name=consentText]").isChecked();
  expect(await button.isEnabled()).toBe(value === "idle" && agreed);
  const held = await page.locator(".waitlist-form fieldset:disabled").count();
  expect(held).toBe(value === "success" ? 1 : 0);
  const banner = await page.locator(".waitlist-form .notice--success").allInnerTexts();
  expect(banner).toEqual(value === "success" ? [waitlist.success] : []);
  const email = await page.locator(".waitlist-form [name=email]").inputValue();
  if (value === "success") expect([email, agreed]).toEqual(["", false]);
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
  const superseded = context.superseded ? confirm.superseded.title : confirm.expired.title;
  const titles = {
    idle: confirm.idle.title,
    confirming: confirm.idle.title,
    failed: confirm.idle.title,
    network: confirm.idle.title,
    used: confirm.used.title,
    unknown: confirm.unknown.title,
    expired: superseded,
    resending: superseded,
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
