import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Language } from "../fixtures.ts";
import { type LinkOwners, signInOwners } from "../link-owners.ts";
import { type OperatedStack, startOwnStack } from "../products.ts";
import {
  addApplication,
  dayAndTime,
  directionOf,
  remindLater,
  type SentPortfolio,
} from "../sent-portfolio.ts";
import { texts } from "../texts.ts";

/** A portfolio on its way to a job: published, sent, opened, followed up, and answered by an offer. */
let stack: OperatedStack;
let owners: LinkOwners;
const sent = new Map<Language, SentPortfolio>();

beforeAll(async () => {
  stack = await startOwnStack();
  owners = await signInOwners(stack);
}, 240_000);
afterAll(() => stack.stop());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const stamp = (page: Page, text: string) =>
  page.locator(".pf-status__stamp", { hasText: text }).waitFor({ timeout: 30_000 });
/** As a person's browser names itself: this one says that it has no window. */
const named = { "sec-ch-ua": '"Chromium";v="141", "Not?A_Brand";v="8", "Google Chrome";v="141"' };

async function signIn(page: Page, language: Language, next: string): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`);
  await page.locator("[name=email]").fill("premium@demo.example");
  await page.locator("[name=password]").fill(owners.password);
  await button(page, texts[language].account.signIn.submit).press("Enter");
  await page.waitForURL(`**${next}`);
}

/** Makes a link to the portfolio. @returns its address */
async function makeLink(page: Page, language: Language, label: string): Promise<string> {
  const { links: t } = texts[language];
  await button(page, t.create.action).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.locator("[name=label]").fill(label);
  await dialog.locator("#target-profile").check();
  await button(page, t.create.submit).press("Enter");
  const address = await dialog.locator(".links__made bdi[dir=ltr]").innerText();
  await button(page, t.create.finish).press("Enter");
  return address;
}

/** An open is shown seconds after it, later while a product that was just started stores its demo: the page is looked at again. */
async function shownAfterReload(shown: Locator): Promise<void> {
  const look = () =>
    shown.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  await expect
    .poll(
      async () => {
        if (await look()) return true;
        await shown.page().reload();
        return false;
      },
      { timeout: 90_000 },
    )
    .toBe(true);
}

test.each<Language>(["en", "he"])(
  "in %s a portfolio is published and sent by a link, and its reader is in the timeline of the application",
  async (language) => {
    const { portfolio, links, application: one } = texts[language];
    const it = await addApplication(owners, language);
    sent.set(language, it);
    const owner = await stack.visit({ language, extraHTTPHeaders: named });
    const { page } = owner;
    await signIn(page, language, `/portfolio?page=${language}&part=publish`);
    await button(page, portfolio.publish.stop).press("Enter");
    await stamp(page, portfolio.status.stamp.draft);
    await button(page, portfolio.publish.now).press("Enter");
    await stamp(page, portfolio.status.stamp.published);

    await page.goto("/links");
    const address = await makeLink(page, language, it.company);
    await page.goto(it.path);
    await page.getByLabel(one.sent.addLink, { exact: true }).selectOption({ label: it.company });
    await page.locator(".stored-file bdi", { hasText: it.company }).waitFor();
    await button(page, one.reminders.add).press("Enter");
    await page.getByLabel(one.reminders.text, { exact: true }).fill(it.reminder);
    await page.locator("[name=day]").fill(it.remindOn);
    await button(page, one.reminders.plan).press("Enter");
    await page.locator(".reminder").waitFor();

    const reader = await stack.visit({ language, extraHTTPHeaders: named });
    await reader.page.goto(address);
    await reader.page.locator("h1").first().waitFor();
    expect(await reader.page.locator("html").getAttribute("lang")).toBe(language);
    // The own address of the page is counted beside its links.
    await reader.page.goto("/p/noa-levi");
    await reader.page.waitForResponse((answer) => answer.request().method() === "POST");
    expect(reader.noise).toEqual([]);
    await reader.leave();

    const opened = page.locator(".timeline__entry[data-kind=open]");
    await shownAfterReload(opened);
    expect(await opened.count()).toBe(1);
    expect(await opened.innerText()).toContain(it.company);
    expect(await opened.locator("time").innerText()).toMatch(dayAndTime);
    await page.goto("/links");
    await page.getByRole("link", { name: it.company, exact: true }).click();
    await page.getByText(links.open.fetched).waitFor({ state: "detached" });
    await page.goto(`/portfolio?page=${language}&part=opens`);
    await shownAfterReload(page.locator("[aria-labelledby=pf-address] li").first());
    expect(owner.noise).toEqual([]);
    await owner.leave();
  },
);

test.each<Language>(["en", "he"])(
  "in %s the reminder of the application comes by mail and is shown, and the offer that follows is noted",
  async (language) => {
    const { applications: t } = texts[language];
    const it = sent.get(language);
    if (it === undefined) throw new Error("No portfolio was sent");
    const mail = await remindLater(stack, owners, language);
    expect(mail.html).toContain(directionOf[language]);
    // What a person is reminded of is in the application alone.
    expect(mail.text).not.toContain(it.reminder);

    const owner = await stack.visit({ language, fresh: true });
    const { page } = owner;
    // The clock of the services is ahead of the browser's.
    await page.clock.setFixedTime(`${it.remindOn}T12:00:00Z`);
    await signIn(page, language, "/dashboard");
    await page.getByText(it.reminder).first().waitFor();
    await page.goto(it.path);
    await page.locator(".reminder[data-status=due] bdi", { hasText: it.reminder }).waitFor();
    await page.locator(".application__stage select").selectOption({ label: t.kinds.offered });
    const newest = page.locator(".timeline__entry").first();
    await newest.getByText(t.kinds.offered).waitFor();
    await page.reload();
    const kinds = page.locator(".timeline__entry");
    await expect
      .poll(() => kinds.evaluateAll((all) => all.map((entry) => entry.dataset["kind"])))
      .toEqual(["history", "history", "open", "history"]);
    expect(owner.noise).toEqual([]);
    await owner.leave();
  },
);
