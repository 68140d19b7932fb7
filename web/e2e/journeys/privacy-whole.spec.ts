import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Demo, makeDemo } from "../../../infra/embedded/demo-world.ts";
import { productServices } from "../../../infra/embedded/services/product-services.ts";
import { faultsAtWidths } from "../account-visitor.ts";
import { downloaded, type Unpacked, verifyPackage } from "../data-package.ts";
import { signInAs } from "../demo-sign-in.ts";
import { type Language, type Visitor } from "../fixtures.ts";
import { faultFinder } from "../page-faults.ts";
import { type OperatedStack, startOwnStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

/**
 * Requests for privacy through the whole product: a copy and a correction, and a copy of which two officers
 * withhold what is about another person.
 */
let stack: OperatedStack;
let demo: Demo;
let first: Visitor;
let second: Visitor;
beforeAll(async () => {
  stack = await startOwnStack();
  // The accounts alone: the journey does not look at their links and payments.
  const accounts = productServices.filter(({ name }) => name === "accounts");
  demo = await makeDemo(stack.dataDir, accounts);
  const granted = ["administrator@demo.example", "officer"];
  await stack.operate("services/accounts/grant.cli.ts", ...granted);
  first = await stack.visit({ before: faultFinder });
  await signInAs(first.page, demo, "officer");
  second = await stack.visit({ before: faultFinder });
  await signInAs(second.page, demo, "administrator");
});
afterAll(() => stack.stop());

/** A button that can be pressed: it cannot while a decision is being recorded. */
const button = (page: Page, name: string) =>
  page.locator("main").getByRole("button", { name, exact: true, disabled: false });

/** What the holder writes, and what stands in the copy instead of the name. */
const story = {
  other: "גליה אשכנזי",
  before: "את ההמלצה בקורות החיים שלי כתבה",
  after: "שמאושפזת השבוע בבית החולים.",
  ready: "העותק של הנתונים שלך מוכן",
  mark: "[הושמט: מידע על אדם אחר]",
} as const;

/** What a browser reports; that a slow page has not yet drawn a font is no fault of it. */
const faultsIn = ({ noise }: Visitor): string[] =>
  noise.filter((line) => !line.includes("was preloaded using link preload"));

/** Writes to support about another person, who is named in the subject and in the message. */
async function writeAbout({ page, open }: Visitor, language: Language, email: string) {
  const { other, before, after } = story;
  await open("/contact");
  await page.locator("#contact-name").fill("Noa");
  await page.locator("#contact-email").fill(email);
  await page.locator("#contact-category").selectOption("other");
  await page.locator("#contact-subject").fill(`${before} ${other}`);
  await page.locator("#contact-message").fill(`${before} ${other}, ${after}`);
  await page.locator(".contact-form [type=submit]").press("Enter");
  await page.getByText(texts[language].contact.form.success).waitFor();
}

/** Asks for a copy and for a correction. */
async function ask(page: Page, language: Language): Promise<void> {
  const { privacy: text } = texts[language];
  await page.goto("/account/privacy");
  await button(page, text.export.submit).press("Enter");
  await page.getByText(text.export.open).waitFor();
  await page.locator("[name=fullName]").fill("נועה Levi-Cohen");
  await button(page, text.correct.submit).press("Enter");
  await page.getByText(text.correct.open).waitFor();
}

/** Types the address into the search of the console, and opens the copy among what is found by keyboard. */
async function openCopyOf(page: Page, language: Language, email: string): Promise<void> {
  const { "privacy-console": text } = texts[language];
  await page.goto(`/console/privacy?lang=${language}`);
  await page.locator("[name=request]").fill(email);
  await page.keyboard.press("Enter");
  const found = page.locator("section[aria-labelledby=privacy-by-email]");
  await found.getByText(text.byEmail.recorded).waitFor();
  expect(await found.locator("tbody tr").count()).toBe(2);
  expect(page.url()).not.toContain("@");
  const copy = found.getByRole("link", { name: text.types.access });
  const isReached = () => copy.evaluate((link) => link === document.activeElement);
  for (let presses = 0; presses < 5 && !(await isReached()); presses += 1)
    await page.keyboard.press("Tab");
  expect(await isReached()).toBe(true);
  await page.keyboard.press("Enter");
  await page.locator("#privacy-history").waitFor();
}

/** Selects the other person's name in the message with the keyboard, and marks it. */
async function markName(page: Page, language: Language): Promise<void> {
  const { "copy-review": text, "account-privacy": account } = texts[language];
  const { other, before } = story;
  const message = page.getByLabel(account.held.fields.message, { exact: true });
  await message.focus();
  await page.keyboard.press("Control+Home");
  for (let at = 0; at <= before.length; at += 1) await page.keyboard.press("ArrowLeft");
  for (let at = 0; at < other.length; at += 1) await page.keyboard.press("Shift+ArrowLeft");
  const value = page.locator(".copy-review__value").filter({ has: message });
  await value.getByRole("button", { name: text.mark.selected }).press("Enter");
  await page.locator(".copy-review__marked").getByText(other).first().waitFor();
}

/** The first officer approves the copy, and proposes to withhold the name wherever it stands. */
async function propose(language: Language): Promise<void> {
  const { "privacy-console": console, "copy-review": text } = texts[language];
  const { page } = first;
  await button(page, console.decide.claim).press("Enter");
  await button(page, console.decide.approve).press("Enter");
  // A worker collects it, perhaps after other work.
  await page.getByRole("link", { name: text.open }).press("Enter", { timeout: 60_000 });
  await page.waitForURL("**/review");
  await markName(page, language);
  await button(page, text.acts.propose_one.replace("{{count}}", "1")).press("Enter");
  await page.getByText(text.proposal.mine).waitFor();
  await button(page, text.acts.claim).press("Enter");
  await button(page, text.elsewhereToo).press("Enter");
  await button(page, text.acts.propose_other.replace("{{count}}", "2")).press("Enter");
  await button(page, text.acts.claim).waitFor();
  await expect.poll(() => page.locator(".copy-review__marked li").count()).toBe(2);
  expect(await faultsAtWidths(page)).toEqual([]);
}

/** Another officer finds the copy in the queue, sees what is proposed, and confirms it. */
async function confirm(language: Language): Promise<void> {
  const { "privacy-console": console, "copy-review": text } = texts[language];
  const { page } = second;
  await page.goto(`/console/privacy?lang=${language}`);
  const row = page.getByRole("row").filter({ hasText: console.states.review });
  await row.getByRole("link").press("Enter");
  await page.getByRole("link", { name: text.open }).press("Enter");
  await button(page, text.acts.claim).press("Enter");
  await page.getByText(text.proposal.other).waitFor();
  await expect.poll(() => page.locator(".copy-review__marked li").count()).toBe(2);
  await page.locator(".copy-review__marked").getByText(story.other).first().waitFor();
  expect(await faultsAtWidths(page)).toEqual([]);
  await button(page, text.acts.confirm_other.replace("{{count}}", "2")).press("Enter");
  await page.getByText(text.done).waitFor();
}

/** The files of a package in which these words stand, as text. */
const filesWith = (files: Unpacked, words: string): string[] =>
  Object.entries(files).flatMap(([path, content]) =>
    `${path} ${Buffer.from(content).toString()}`.includes(words) ? [path] : [],
  );

/** The officer opens the only request that waits, takes it and approves it: three presses. */
async function approve(language: Language): Promise<void> {
  const text = texts[language]["privacy-console"];
  const { page } = first;
  await page.goto(`/console/privacy?lang=${language}`);
  await page.getByRole("table").getByRole("link").press("Enter");
  await button(page, text.decide.claim).press("Enter");
  await button(page, text.decide.approve).press("Enter");
  await page.getByText(text.decide.nothing).waitFor();
}

const mailed = (email: string, subject: string): Promise<void> =>
  expect
    .poll(async () => (await stack.mail.to(email)).map((mail) => mail.subject), { timeout: 30_000 })
    .toContain(subject);

test.each([["en", "premium"]] as const)(
  "in %s a copy is asked for, mailed about, approved in three presses, downloaded and verified offline, then a correction",
  async (language, name) => {
    const { privacy: text } = texts[language];
    const holder = await stack.visit({ language });
    const { page } = holder;
    const { email } = await signInAs(page, demo, name);
    await page.goto(`/account/privacy?lang=${language}`);
    await button(page, text.export.submit).press("Enter");
    await page.getByText(text.export.open).waitFor();
    await mailed(email, "We have received your privacy request");
    await approve(language);
    await mailed(email, "The copy of your data is ready");
    await page.reload();
    const files = await downloaded(page, () => button(page, text.requests.download).press("Enter"));
    expect(await verifyPackage(files, stack.origin)).toContain("genuine: data package");
    await page.reload();

    await page.locator("[name=fullName]").fill("נועה Levi-Cohen");
    await button(page, text.correct.submit).press("Enter");
    await page.getByText(text.correct.open).waitFor();
    await approve(language);
    await mailed(email, "Your data has been corrected");
    await page.goto("/account/profile");
    await expect.poll(() => page.locator("[name=fullName]").inputValue()).toBe("נועה Levi-Cohen");
    expect(holder.noise).toEqual([]);
    await holder.leave();
  },
);

test.each([{ written: "he", name: "free", officers: "en" }] as const)(
  "the name of another person in a message in $written is withheld from the copy by two officers in $officers",
  async ({ written, name, officers }) => {
    const { privacy: text } = texts[written];
    const { other, before, after, ready, mark } = story;
    const holder = await stack.visit({ language: written, before: consentGiven });
    const { page } = holder;
    const { email } = await signInAs(page, demo, name);
    await writeAbout(holder, written, email);
    await ask(page, written);
    await openCopyOf(first.page, officers, email);
    await propose(officers);
    await confirm(officers);
    await mailed(email, ready);

    await page.reload();
    await page.getByText(text.requests.withheld.title).waitFor();
    await page.getByText(`${text.requests.withheld.reasons["other-person"]}: 2`).waitFor();
    const files = await downloaded(page, () => button(page, text.requests.download).press("Enter"));
    for (const words of [other, ...other.split(" ")]) expect(filesWith(files, words)).toEqual([]);
    const kept = ["data.json", "csv/messages.csv", "index.html"];
    for (const words of [before, after])
      expect(filesWith(files, words)).toEqual(expect.arrayContaining(kept));
    expect(filesWith(files, mark)).toEqual(expect.arrayContaining(kept));
    expect(await verifyPackage(files, stack.origin)).toContain("genuine: data package");
    expect([holder, first, second].flatMap(faultsIn)).toEqual([]);
    await holder.leave();
  },
);
