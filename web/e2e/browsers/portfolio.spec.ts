import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { type Language } from "../fixtures.ts";
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
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** A portfolio on its way to a job, through a product of its own, because its clock is moved. */
let stack: OperatedStack;
let owners: LinkOwners;
const sent = new Map<Language, SentPortfolio>();

beforeAll(async () => {
  stack = await startOwnStack();
  owners = await signInOwners(stack);
}, 240_000);
afterAll(() => stack.stop());

/** The product in a browser of this language, as long as the test runs. */
async function openOwnSite(language: Language): Promise<Site> {
  const site = await openSite({ language }, stack);
  onTestFinished(() => site.close());
  return site;
}

async function signIn(site: Site, language: Language, next: string): Promise<Visitor> {
  const owner = await site.visit({ decided: true });
  await owner.goto(`/login?next=${encodeURIComponent(next)}`);
  await owner.type("[name=email]", "premium@demo.example");
  await owner.type("[name=password]", owners.password);
  await owner.click("main button", texts[language].account.signIn.submit);
  await owner.arrivedAt(new URL(next, stack.origin).pathname);
  return owner;
}

/** Makes a link to the portfolio. @returns its path */
async function makeLink(owner: Visitor, language: Language, label: string): Promise<string> {
  const { links: t } = texts[language];
  await owner.goto("/links");
  await owner.click("main button", t.create.action);
  await owner.type("dialog [name=label]", label);
  await owner.click("#target-profile");
  await owner.click("dialog button", t.create.submit);
  const made = ".links__made bdi[dir=ltr]";
  await eventually(async () => expect(await owner.texts(made)).toHaveLength(1));
  return new URL((await owner.texts(made)).join("")).pathname;
}

const sentLinks = "section[aria-labelledby=sent] select";
/** Runs in the page of the application: the value of a choice. */
const valueOf = (label: string): string =>
  [...document.querySelectorAll("option")].find(({ text }) => text === label)?.value ?? "";
const setDay = (day: string): void => {
  const field = document.querySelector<HTMLInputElement>("[name=day]");
  if (field !== null) field.value = day;
};

/** Runs in the editor: the addresses of the pages in its preview. */
const previewed = (): string =>
  Array.from(
    document.querySelectorAll<HTMLIFrameElement>(".pf-frame__page"),
    ({ src }) => src,
  ).join(" ");

/** Writes in the portfolio; the preview draws another page, in the place of the earlier one. */
async function write(owner: Visitor, language: Language): Promise<void> {
  const { parts } = texts[language].portfolio;
  await eventually(async () => expect(await owner.evaluate(previewed)).toMatch(/^\S+$/u));
  const before = await owner.evaluate(previewed);
  await owner.click("[role=tab]", parts.write);
  await owner.type("#cv-profile-headline", "!");
  await eventually(async () => {
    const now = await owner.evaluate(previewed);
    expect(now).not.toContain(before);
    expect(now).toMatch(/^\S+$/u);
  });
  await owner.click("[role=tab]", parts.publish);
}

test.each(["en", "he"] as const)(
  "in %s a portfolio is published and sent by a link, and its reader is in the timeline of the application",
  async (language) => {
    const { portfolio, application: one } = texts[language];
    const it = await addApplication(owners, language);
    sent.set(language, it);
    const site = await openOwnSite(language);
    const owner = await signIn(site, language, `/portfolio?page=${language}&part=publish`);
    await owner.click(".cv-actions button:enabled", portfolio.publish.stop);
    await owner.shows(".pf-status__stamp", portfolio.status.stamp.draft);
    await write(owner, language);
    await owner.click(".cv-actions button:enabled", portfolio.publish.now);
    await owner.shows(".pf-status__stamp", portfolio.status.stamp.published);
    const path = await makeLink(owner, language, it.company);
    await owner.goto(it.path);
    await eventually(async () => expect(await owner.evaluate(valueOf, it.company)).not.toBe(""));
    await owner.choose(sentLinks, await owner.evaluate(valueOf, it.company));
    await owner.shows(".stored-file bdi", it.company);
    await owner.click("main button:enabled", one.reminders.add);
    await owner.type("section[aria-labelledby=reminders] [name=text]", it.reminder);
    await owner.evaluate(setDay, it.remindOn);
    await owner.click("main button:enabled", one.reminders.plan);
    await owner.shows(".reminder p:first-child bdi", it.reminder);
    await expectNoFaults(owner);

    const reader = await site.visit();
    await reader.goto(path);
    await eventually(async () => expect(await reader.texts("h1")).toHaveLength(1));
    expect(await reader.evaluate(() => document.documentElement.lang)).toBe(language);
    await expectNoFaults(reader);

    const again = await signIn(site, language, it.path);
    await eventually(async () =>
      expect((await again.texts("[data-kind=open] time")).join()).toMatch(dayAndTime),
    );
    await expectNoFaults(again);
  },
);

test.each(["en", "he"] as const)(
  "in %s the reminder of the application comes by mail and is shown, and the offer that follows is noted",
  async (language) => {
    const it = sent.get(language);
    if (it === undefined) throw new Error("No portfolio was sent");
    const mail = await remindLater(stack, owners, language);
    expect(mail.html).toContain(directionOf[language]);
    const site = await openOwnSite(language);
    const owner = await signIn(site, language, it.path);
    await owner.shows(".reminder[data-status=due] p:first-child bdi", it.reminder);
    await owner.choose(".application__stage select", it.offeredId);
    const { offered } = texts[language].applications.kinds;
    await eventually(async () =>
      expect((await owner.texts(".timeline__entry")).at(0)).toContain(offered),
    );
    await expectNoFaults(owner);
  },
);
