import { expect } from "vitest";
import type { EventObject, SnapshotFrom } from "xstate";
import { z } from "zod";

import type { signInMachine } from "../features/account/entry/sign-in.machine.ts";
import type { checkoutMachine } from "../features/billing/checkout/checkout.machine.ts";
import type { actMachine } from "../features/billing/subscription/act.machine.ts";
import { textIn } from "../features/form-machine.ts";
import { type AccountFault, isOfPage } from "../features/submission.machine.ts";
import { answerFrom, billingModel, problem } from "./billing-model.ts";
import type { Language, Visitor } from "./fixtures.ts";
import type { ForcedAnswer } from "./forced-answers.ts";
import { texts } from "./texts.ts";

/** An answer of the server as the machines receive it. */
const Answered = z.object({
  output: z
    .looseObject({
      kind: z.string().optional(),
      obstacle: z.string().optional(),
      refused: z.object({ fault: z.string() }).optional(),
      offer: z.object({ hash: z.string() }).optional(),
      hash: z.string().optional(),
    })
    .optional(),
});
const Submitted = z.object({ data: z.instanceof(FormData) });
const Accepted = z.object({ accepted: z.array(z.string()) });
const Chosen = z.object({ choice: z.object({ plan: z.string(), cycle: z.string() }) });

/** What the server answers, by how a machine understands it. */
const answers: Readonly<Record<string, ForcedAnswer>> = {
  "signed-in": { status: 200, body: { status: "signed-in", token: "bearer-2" } },
  "factor-required": {
    status: 200,
    body: { status: "factor-required", challenge: "c-1", methods: ["totp", "recovery"] },
  },
  "refused refused": problem(422, "sign_in_refused"),
  "refused codeWrong": problem(422, "code_wrong"),
  "refused challengeEnded": problem(410, "challenge_ended"),
  failed: problem(503, "ledger_unavailable"),
  "obstacle closed": problem(409, "billing_closed"),
  "obstacle subscribed": problem(409, "subscription_exists"),
  refused: problem(503, "payment_unavailable"),
  changed: problem(409, "quote_changed"),
  accepted: { status: 200, body: { status: "done" } },
  leave: {
    status: 200,
    body: { status: "redirect", checkoutId: "c-1", url: "/checkout/return?checkout=c-1" },
  },
  applied: { status: 200, body: { status: "done", at: "2026-03-10T10:00:00.000Z" } },
  obsolete: problem(409, "already_cancelled"),
};

/** The quote of a version; what it costs is the same. */
const quoteOf = (hash: string): ForcedAnswer =>
  answerFrom(billingModel({ version: Number(hash) }))({
    method: "POST",
    path: "/api/checkout/quote",
    body: { plan: "premium", cycle: "monthly" },
  });

/** The subscription in which a cancellation has this hash; without one it is cancelled. */
export const subscriptionOf = (hash: string | undefined): ForcedAnswer =>
  answerFrom(
    billingModel({
      choice: { plan: "premium", cycle: "monthly" },
      inWindow: false,
      ...(hash === undefined ? { status: "ending" } : { version: Number(hash) }),
    }),
  )({ method: "GET", path: "/api/subscription", body: undefined });

/** The answer that causes this event; undefined for what a person does. */
export function accountAnswerOf(event: EventObject): ForcedAnswer | "cut" | undefined {
  if (event.type.startsWith("xstate.error.")) return "cut";
  if (!event.type.startsWith("xstate.done.")) return undefined;
  const { output } = Answered.parse(event);
  if (event.type.endsWith(".findAgain")) return subscriptionOf(output?.hash);
  if (output?.offer !== undefined) return quoteOf(output.offer.hash);
  const detail = output?.obstacle ?? output?.refused?.fault;
  const name = [output?.kind, detail].filter((part) => part !== undefined).join(" ");
  const answer = answers[name];
  if (answer === undefined) throw new Error(`No answer is ${name}`);
  return answer;
}

/** Causes the event in the sign-in: a submission fills in its values first, and is pressed twice. */
export async function doInSignIn({ page }: Visitor, event: EventObject): Promise<void> {
  const { account } =
    texts[(await page.locator("html").getAttribute("lang")) === "he" ? "he" : "en"];
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  if (event.type === "method") await press(account.factor.useRecovery);
  else if (event.type === "restart") await press(account.factor.restart);
  else if (event.type === "edited") await page.locator("[name=email]").fill("changed@example.com");
  else {
    const { data } = Submitted.parse(event);
    for (const field of data.keys())
      await page.locator(`[name=${field}]`).fill(textIn(data, field));
    await page.locator("main form [type=submit]").dblclick();
  }
}

/** Checks what the sign-in shows in this state. */
export async function signInShows(
  { page }: Visitor,
  language: Language,
  { value, context }: SnapshotFrom<typeof signInMachine>,
): Promise<void> {
  const { account } = texts[language];
  const textOf = (fault: AccountFault) => (isOfPage(fault) ? fault : account.errors[fault]);
  if (value === "signedIn") {
    expect(new URL(page.url()).pathname).toBe("/dashboard");
    return;
  }
  const second = value === "factor" || value === "checkingCode";
  const title = second ? account.factor.title : account.signIn.title;
  expect(await page.locator("main h1").innerText()).toBe(title);
  const held = value !== "password" && value !== "factor";
  expect(await page.locator("main fieldset:disabled").count()).toBe(held ? 1 : 0);
  const faults = Object.values(context.faults).filter((fault) => fault !== undefined);
  expect(await page.locator(".field__error").allInnerTexts()).toEqual(faults.map(textOf));
  const { trouble } = context;
  expect(await page.locator(".notice--error").allInnerTexts()).toEqual(
    trouble === undefined ? [] : [textOf(trouble)],
  );
  if (!second) return;
  const label = context.method === "totp" ? account.factor.totp : account.factor.recovery;
  expect(await page.getByLabel(label).count()).toBe(1);
}

/** Causes the event in the checkout: a submission ticks its consents first, and is pressed twice. */
export async function doInCheckout({ page }: Visitor, event: EventObject): Promise<void> {
  if (event.type === "choose") {
    const { choice } = Chosen.parse(event);
    await page.locator(`#cycle-${choice.cycle}`).check();
  } else if (event.type === "refresh") {
    await page.locator(".checkout__sheet").getByRole("button").first().click();
  } else {
    const { accepted } = Accepted.parse(event);
    for (const box of await page.locator("[name=accepted]").all())
      await box.setChecked(accepted.includes((await box.getAttribute("value")) ?? ""));
    await page.locator(".checkout__press button").dblclick();
  }
}

/** Checks what the checkout shows in this state. */
export async function checkoutShows(
  { page }: Visitor,
  language: Language,
  { value, context }: SnapshotFrom<typeof checkoutMachine>,
): Promise<void> {
  const { billing, checkout } = texts[language];
  const { obstacle, trouble, offer, missing, before, choice } = context;
  const main = page.locator("main");
  if (value === "leaving") {
    expect(new URL(page.url()).pathname).toBe("/checkout/return");
  } else if (value === "accepted") {
    expect(await main.innerText()).toContain(checkout.accepted.title);
  } else if (value === "blocked") {
    const named = obstacle === undefined ? "" : checkout.blocked[obstacle].title;
    expect(await main.innerText()).toContain(named);
  } else if (value === "unquoted") {
    expect(await main.innerText()).toContain(billing.trouble[trouble ?? "failed"]);
  } else {
    expect(await page.locator(`#cycle-${choice.cycle}`).isChecked()).toBe(true);
    const order = page.locator(".checkout__press button");
    expect(await order.count()).toBe(offer === undefined ? 0 : 1);
    if (offer === undefined) return;
    expect(await order.isEnabled()).toBe(value === "ready");
    expect(await page.locator("[name=accepted][aria-invalid]").count()).toBe(missing.length);
    const shown = page.locator(".checkout__consents .notice--error");
    expect(await shown.allInnerTexts()).toEqual(
      trouble === undefined ? [] : [billing.trouble[trouble]],
    );
    const changed = page.getByText(checkout.changed.title);
    expect(await changed.count()).toBe(before === undefined ? 0 : 1);
  }
}

/** Causes the event on the page of cancellation, each press twice. */
export async function doInCancellation({ page }: Visitor, event: EventObject): Promise<void> {
  if (event.type === "open" || event.type === "confirm")
    await page.locator(".cancellation__buttons button").dblclick();
}

/** Checks what the page of cancellation shows in this state. */
export async function cancellationShows(
  { page }: Visitor,
  language: Language,
  { value, context }: SnapshotFrom<typeof actMachine>,
): Promise<void> {
  const { subscription } = texts[language];
  const step = { shown: "offered", applied: "done", obsolete: "obsolete" } as const;
  const named = value === "shown" || value === "applied" || value === "obsolete";
  expect(await page.locator(".cancellation").getAttribute("data-step")).toBe(
    named ? step[value] : "confirming",
  );
  const notice = await page.locator(".cancellation .notice--error").allInnerTexts();
  if (value !== "confirming" && value !== "shown") return;
  const { trouble, before } = context;
  if (trouble !== undefined) expect(notice.join("")).toContain(subscription.cancel.failed);
  else expect(notice).toEqual(before === undefined ? [] : [subscription.dialog.changed]);
  expect(await page.locator(".cancellation__buttons button").isEnabled()).toBe(true);
}
