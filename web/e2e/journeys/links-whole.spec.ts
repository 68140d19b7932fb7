import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";

import { drawCv } from "../../../infra/quality/testing/draw-cv.ts";
import { type Language } from "../fixtures.ts";
import type { CaughtMail } from "../mail-box.ts";
import { type OperatedStack, startOwnStack } from "../products.ts";
import { texts } from "../texts.ts";

/** A link from its making to its end, through the whole product. */
let stack: OperatedStack;
let password: string;

beforeAll(async () => {
  stack = await startOwnStack({ "ledger-worker": { OPEN_MAILS_LOOK_MS: "1000" } });
  ({ password } = await stack.makeDemo());
}, 240_000);
afterAll(() => stack.stop());

type Owner = "premium" | "free";
const addressOf = (owner: Owner): string => `${owner}@demo.example`;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function signIn(
  page: Page,
  language: Language,
  next = "/links",
  owner: Owner = "premium",
): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`);
  await page.locator("[name=email]").fill(addressOf(owner));
  await page.locator("[name=password]").fill(password);
  await button(page, texts[language].account.signIn.submit).press("Enter");
  await page.waitForURL(`**${next}`);
}

/** Makes a link to a file. @returns its address, as the clipboard has it */
async function makeLink(page: Page, language: Language, label: string): Promise<string> {
  const { links: t } = texts[language];
  const buffer = await drawCv({ language, name: "Noa Levi", pages: 2 });
  await button(page, t.create.action).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.locator("[name=label]").fill(label);
  const file = { name: "Noa Levi CV.pdf", mimeType: "application/pdf", buffer };
  await dialog.locator("[name=file]").setInputFiles(file);
  await button(page, t.create.submit).press("Enter");
  await dialog.getByRole("button", { name: `${t.copy.action} ${label}` }).press("Enter");
  await page.getByText(t.copy.done.replace("{{label}}", label)).waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  await button(page, t.create.finish).press("Enter");
  return address;
}

/** What a reader of a revoked link is shown. */
const ended = { en: "This link is not available", he: "הקישור אינו זמין" };
/** As a person's browser names itself: this one says that it has no window. */
const named = { "sec-ch-ua": '"Chromium";v="141", "Not?A_Brand";v="8", "Google Chrome";v="141"' };
/**
 * The services show an open within two seconds (opens-are-shown.int.test.ts); browsers that share
 * their machine draw it later, but long before the page asks again by itself.
 */
const liveMs = 5_000;

test.each<Language>(["en"])(
  "in %s a link is made, copied, opened by a person, a scanner and its owner, seen as it happens, and revoked",
  async (language) => {
    const { links: t } = texts[language];
    const label = language === "he" ? "בנק ירושלים" : "Northwind Health";
    const owner = await stack.visit({
      language,
      extraHTTPHeaders: named,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = owner;
    await signIn(page, language);
    const shared = await makeLink(page, language, label);
    expect(shared).toMatch(new RegExp(`^${stack.origin}/l/[a-z0-9-]+$`, "u"));
    await page.getByRole("link", { name: label, exact: true }).click();
    await page.waitForURL("**/links/*");
    await page.getByText(t.newest.live, { exact: true }).waitFor();

    await fetch(shared, { headers: { "user-agent": "BarracudaCentral/1.0 (compatible)" } });
    const own = await page.context().newPage();
    await own.goto(shared);
    const person = await stack.visit({ language, extraHTTPHeaders: named });
    const opens = page.locator(".links__open");
    const shown = opens.waitFor().then(() => Date.now());
    await person.page.goto(shared);
    const shownMs = await shown;
    const at = z.string().parse(await opens.locator("time").getAttribute("datetime"));
    expect(shownMs - Date.parse(at)).toBeLessThan(liveMs);
    // The visible page confirms itself, and the row says so.
    await opens.getByText(t.open.fetched).waitFor({ state: "detached" });
    await page.getByText(t.excluded["mail-scanner"].why).waitFor();
    await page.getByText(t.excluded.owner.why).waitFor();
    expect(await opens.count()).toBe(1);
    await button(page, t.newest.excluded).press("Enter");
    await expect.poll(() => opens.count()).toBe(3);

    const saving = page.waitForEvent("download");
    await button(page, t.csv).press("Enter");
    const table = await readFile(await (await saving).path(), "utf8");
    expect(table.trim().split("\r\n").length).toBe(4);

    await button(page, t.settings.action).press("Enter");
    await page.getByLabel(t.fields.targets.external, { exact: true }).check();
    await page.locator("[name=url]").fill("https://example.com/cv");
    await button(page, t.settings.submit).press("Enter");
    await page.getByText(t.settings.done).waitFor();
    await page.getByText("https://example.com/cv").first().waitFor();

    await button(page, t.revoke.action).press("Enter");
    await page.getByText(t.revoke.done.replace("{{label}}", label)).waitFor();
    await expect
      .poll(async () => (await person.page.goto(shared))?.status(), { timeout: 5_000 })
      .toBe(404);
    expect(await person.page.locator("h1").innerText()).toBe(ended[language]);
    expect(owner.noise).toEqual([]);
    await person.leave();
    await owner.leave();
  },
);

/** Two persons at one address: their systems distinguish them. */
const system = (name: string): string =>
  `Mozilla/5.0 (${name}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36`;
const persons = {
  first: system("Windows NT 10.0; Win64; x64"),
  second: system("Macintosh; Intel Mac OS X 10_15_7"),
};

/** How many opens are stored that were reported as seen. */
const seenOpens = async (): Promise<number> =>
  Number(await stack.ask("SELECT uniqExact(event_id) FROM link_reports"));

/** Opens a link as a person, until it is stored that they saw it. */
async function openAs(userAgent: string, shared: string): Promise<void> {
  const before = await seenOpens();
  const person = await stack.visit({ userAgent, extraHTTPHeaders: named });
  await person.page.goto(shared);
  await expect.poll(seenOpens, { timeout: 15_000 }).toBeGreaterThan(before);
  await person.leave();
}

/** Waits for a mail to the owner whose subject or text has these words. */
const mailAbout = (words: string, owner: Owner = "premium"): Promise<CaughtMail> =>
  vi.waitFor(
    async () => {
      const mails = await stack.mail.to(addressOf(owner));
      const mail = mails.find(({ subject, text }) => `${subject} ${text}`.includes(words));
      const subjects = mails.map(({ subject }) => subject).join(", ");
      if (mail === undefined) throw new Error(`no mail about ${words} among ${subjects}`);
      return mail;
    },
    { timeout: 30_000, interval: 200 },
  );

const digestOf = { en: "of 1 link", he: "של קישור אחד" };
const direction = { en: 'dir="ltr"', he: 'dir="rtl"' };

test.each<Language>(["he"])(
  "in %s an owner is mailed the first open, then one summary a day, and one press of a mail program ends both",
  async (language) => {
    const { links, settings: t } = texts[language];
    const label = language === "he" ? "חברת אופק" : "Contoso";
    const owner = await stack.visit({
      language,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = owner;
    await signIn(page, language, "/account/profile");
    await page.locator("[name=language]").selectOption(language);
    const profile = page.locator("form", { has: page.locator("[name=language]") });
    const answered = page.waitForResponse(
      (answer) => answer.request().method() === "PATCH" && answer.ok(),
    );
    await profile.locator("[type=submit]").press("Enter");
    await answered;
    const choose = async (preference: "first-open" | "daily"): Promise<void> => {
      await page.locator(`[name=openMails][value=${preference}]`).check();
      await button(page, t.openMails.save).press("Enter");
      await page.getByText(t.openMails.saved).waitFor();
    };
    await choose("first-open");
    await page.goto("/links");
    const shared = await makeLink(page, language, label);
    await openAs(persons.first, shared);
    const first = await mailAbout(label);
    expect(first.html).toContain(direction[language]);

    await page.goto("/account/profile");
    await choose("daily");
    await openAs(persons.second, shared);
    await page.goto("/links");
    await page
      .getByText(links.sentence.fresh.split("}}")[1] ?? "")
      .first()
      .waitFor();
    // Past eight o'clock and the quarter of an hour before it, whatever time it is.
    await stack.operate("infra/embedded/clock.cli.ts", "+25h");
    const digest = await mailAbout(digestOf[language]);
    expect(digest.text).toContain(label);
    expect(digest.html).toContain(direction[language]);

    const off = z.string().parse(digest.headers["list-unsubscribe"]).replaceAll(/[<>]/gu, "");
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await fetch(off, { method: "POST", body })).status).toBe(200);
    await page.goto("/account/profile");
    await page.locator("[name=openMails][value=off]:checked").waitFor();
    expect(owner.noise).toEqual([]);
    await owner.leave();
  },
  120_000,
);

const deletionMails = {
  en: ["Your account will be deleted", "Your account will not be deleted"],
  he: ["החשבון שלך יימחק", "החשבון שלך לא יימחק"],
} as const;

/** Schedules the deletion of the account on its page of privacy. */
async function scheduleDeletion(page: Page, language: Language, owner: Owner): Promise<void> {
  const { privacy: t } = texts[language];
  await button(page, t.delete.begin).press("Enter");
  await page.locator("[name=email]").fill(addressOf(owner));
  await page.locator("[name=reason]").fill("עבודה חדשה, a new job");
  await button(page, t.delete.submit).press("Enter");
  await button(page, t.delete.waive).waitFor();
}

test.each([["he", "free"]] as const)(
  "in %s the deletion of the account of a link's owner is scheduled, mailed and cancelled",
  async (language, name) => {
    const { privacy: t } = texts[language];
    const [scheduled, cancelled] = deletionMails[language];
    const owner = await stack.visit({ language });
    const { page } = owner;
    await signIn(page, language, "/account/privacy", name);
    const held = page.locator("section[aria-labelledby=privacy-held]");
    await held.locator("summary").first().press("Enter");
    await held.getByText(addressOf(name)).first().waitFor();
    await scheduleDeletion(page, language, name);
    await mailAbout(scheduled, name);
    await button(page, t.delete.cancel).press("Enter");
    await page.getByText(t.requests.outcome.cancelled).waitFor();
    await mailAbout(cancelled, name);
    expect(owner.noise).toEqual([]);
    await owner.leave();
  },
);

/** The answer to a sign-in with the right password. */
async function signInStatus(owner: Owner): Promise<number> {
  const { status } = await fetch(new URL("/api/account/sign-in", stack.origin), {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.origin },
    body: JSON.stringify({ email: addressOf(owner), password }),
  });
  return status;
}

test("thirty days after its deletion was scheduled an account is erased, with its links and their opens", async () => {
  const label = "Fabrikam";
  const permissions = ["clipboard-read", "clipboard-write"];
  const owner = await stack.visit({ language: "en", permissions });
  const { page } = owner;
  await signIn(page, "en");
  const shared = await makeLink(page, "en", label);
  await openAs(persons.second, shared);
  await page.goto("/account/privacy");
  await scheduleDeletion(page, "en", "premium");
  // From now on processing is restricted.
  await expect.poll(async () => (await fetch(shared)).status, { timeout: 30_000 }).toBe(404);

  await stack.operate("infra/embedded/clock.cli.ts", "+31d");
  await mailAbout("החשבון שלך נמחק כעת");
  const opens = async (): Promise<number> =>
    Number(await stack.ask("SELECT count() FROM link_opens"));
  await expect.poll(opens, { timeout: 60_000, interval: 500 }).toBe(0);
  expect((await fetch(shared)).status).toBe(404);
  await expect.poll(() => signInStatus("premium"), { timeout: 30_000, interval: 3_000 }).toBe(422);
  await owner.leave();
}, 150_000);
