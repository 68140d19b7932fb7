import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

import { type Language } from "../fixtures.ts";
import { type OperatedStack, startStack } from "../products.ts";
import { texts } from "../texts.ts";

/** A CV from its first letter to its file, through the whole product. */
let stack: OperatedStack;
let password: string;

beforeAll(async () => {
  stack = await startStack();
  ({ password } = await stack.makeDemo());
}, 240_000);
afterAll(() => stack.stop());

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });
const saved = (page: Page) =>
  page.locator(".cv-save[data-kind=saved]").waitFor({ timeout: 30_000 });
const name = (page: Page, language: Language) =>
  page.getByLabel(texts[language].cv.profile.fullName, { exact: true });

async function signIn(page: Page, language: Language): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent("/cv")}`);
  await page.locator("[name=email]").fill("premium@demo.example");
  await page.locator("[name=password]").fill(password);
  await button(page, texts[language].account.signIn.submit).press("Enter");
  await page.waitForURL("**/cv");
}

/** Begins an empty CV. @returns its address */
async function begin(page: Page, language: Language, title: string): Promise<string> {
  const { cv: t } = texts[language];
  await button(page, t.create.action).first().press("Enter");
  await page.locator("dialog [name=title]").fill(title);
  await page.locator(`dialog [name=language][value=${language}]`).check();
  await button(page, t.create.submit).press("Enter");
  await page.waitForURL(/\/cv\/[0-9a-f-]+$/u);
  await name(page, language).waitFor();
  return new URL(page.url()).pathname;
}

const tab = (page: Page, title: string) => page.getByRole("tab", { name: title, exact: true });

type Picked = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Reads a file into the review, from the list of CVs. */
async function readFileIn(page: Page, language: Language, file: Picked): Promise<void> {
  const { cv: t } = texts[language];
  await page.goto("/cv");
  await button(page, t.create.action).first().press("Enter");
  await page.locator("dialog [name=from][value=true]").check();
  await page.locator("dialog [name=file]").setInputFiles(file);
  await page.locator(`dialog [name=language][value=${language}]`).check();
  await button(page, t.create.read).press("Enter");
  await page.getByRole("heading", { name: t.import.title, exact: true }).waitFor();
}

/** Makes the CV of the file that is reviewed. */
async function make(page: Page, language: Language): Promise<void> {
  await button(page, texts[language].cv.import.make).press("Enter");
  await page.waitForURL(/\/cv\/[0-9a-f-]+$/u);
  await name(page, language).waitFor();
}

/** A file of the CV that is open. */
async function fileOf(page: Page, language: Language, format: "pdf" | "docx"): Promise<Picked> {
  const { cv: t } = texts[language];
  await tab(page, t.parts.export).press("Enter");
  const saving = page.waitForEvent("download", { timeout: 60_000 });
  await button(page, `${t.export.download} ${t.formats[format].name}`).press("Enter");
  const buffer = await readFile(await (await saving).path());
  return { name: `cv.${format}`, mimeType: "application/octet-stream", buffer };
}

/** A picture of the browser's own making. */
function drawnPicture(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const canvas = new OffscreenCanvas(64, 64);
    canvas.getContext("2d")?.fillRect(8, 8, 48, 48);
    const picture = await canvas.convertToBlob({ type: "image/png" });
    return [...new Uint8Array(await picture.arrayBuffer())];
  });
}

/** Adds a section by its menu. */
async function addSection(page: Page, language: Language, kind: "experience" | "skills") {
  const { cv: t } = texts[language];
  await button(page, t.section.add).press("Enter");
  await page.getByRole("menuitem", { name: t.kinds[kind], exact: true }).press("Enter");
  await page.getByRole("heading", { name: t.kinds[kind], exact: true }).waitFor();
}

/** As a person's browser names itself: this one says that it has no window. */
const named = { "sec-ch-ua": '"Chromium";v="141", "Not?A_Brand";v="8", "Google Chrome";v="141"' };

const written = {
  en: { name: "Noa Levi", role: "Head nurse", other: "Nurse", point: "Led eight nurses" },
  he: { name: "נועה לוי", role: "אחות ראשית", other: "אחות", point: "ניהלה צוות של שמונה" },
};

test.each<Language>(["en"])(
  "in %s a CV is written by keyboard, ordered, given another template, read by programs and downloaded",
  async (language) => {
    const { cv: t } = texts[language];
    const text = written[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await signIn(page, language);
    await begin(page, language, `${text.role} 1`);
    await name(page, language).fill(text.name);
    await page.getByLabel(t.profile.email, { exact: true }).fill("noa@example.com");
    await addSection(page, language, "experience");
    await page.getByLabel(t.fields.role, { exact: true }).fill(text.role);
    await button(page, t.fields.addBullet).press("Enter");
    await page.keyboard.type(text.point);
    await button(page, t.entry.add.experience).press("Enter");
    await page.getByLabel(t.fields.role, { exact: true }).last().fill(text.other);
    const isolated = `\u2068${text.other}\u2069`;
    await button(page, t.order.menuOf.replace("{{name}}", isolated)).press("Enter");
    await page.getByRole("menuitem", { name: t.order.up, exact: true }).press("Enter");
    await expect
      .poll(() => page.locator(".cv-entry__toggle .cv-entry__title").allInnerTexts())
      .toEqual([text.other, text.role]);
    await page.getByRole("img", { name: t.page.alt_one.replace("{{count}}", "1") }).waitFor();

    await page.getByRole("tab", { name: t.parts.look, exact: true }).press("Enter");
    await page.locator("#cv-template-editorial").check();
    await saved(page);
    await page.getByRole("tab", { name: t.parts.export, exact: true }).press("Enter");
    await page.locator(".cv-reading").first().waitFor({ timeout: 60_000 });
    expect(await page.locator(".cv-file[data-recommended=true]").count()).toBe(1);
    const saving = page.waitForEvent("download", { timeout: 60_000 });
    await button(page, `${t.export.download} ${t.formats.json.name}`).press("Enter");
    const file = await readFile(await (await saving).path(), "utf8");
    expect(
      z.object({ basics: z.object({ name: z.string() }) }).parse(JSON.parse(file)).basics.name,
    ).toBe(text.name);
    expect(file).toContain(text.point);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  180_000,
);

test.each<Language>(["he"])(
  "in %s what is written offline in one tab and online in another is all there afterwards",
  async (language) => {
    const { cv: t } = texts[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await signIn(page, language);
    const path = await begin(page, language, `${written[language].role} 2`);
    const other = await page.context().newPage();
    await other.goto(path);
    const place = (one: Page) => one.getByLabel(t.profile.place, { exact: true });
    await place(other).waitFor();

    await page.route("**/api/cvs/**", (route) => route.abort("internetdisconnected"));
    await name(page, language).fill("A");
    await page.locator(".cv-save[data-kind=trouble]").waitFor({ timeout: 30_000 });
    await place(other).fill("B");
    await saved(other);
    await page.unroute("**/api/cvs/**");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await saved(page);
    await expect.poll(() => place(page).inputValue(), { timeout: 30_000 }).toBe("B");
    await other.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect.poll(() => name(other, language).inputValue(), { timeout: 30_000 }).toBe("A");
    await visitor.leave();
  },
  180_000,
);

/** A person's file in the form of JSON Resume, with a date that is none. */
function resumeFile({ name: fullName, role, other, point }: (typeof written)["en"]): Picked {
  const work = [
    { position: role, name: "Rambam", startDate: "spring", highlights: [point] },
    { position: other, name: "Ichilov", startDate: "2016-05", endDate: "2019-02" },
  ];
  const basics = { name: fullName, email: "noa@example.com", phone: "054-1234567" };
  const resume = { basics, work };
  const buffer = Buffer.from(JSON.stringify(resume));
  return { name: "resume.json", mimeType: "application/json", buffer };
}

test.each<Language>(["en"])(
  "in %s a JSON Resume is reviewed, corrected and taken over in part; the DOCX and the PDF of it are read again",
  async (language) => {
    const { cv: t } = texts[language];
    const text = written[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await signIn(page, language);
    await readFileIn(page, language, resumeFile(text));
    await page.locator(".cv-findings", { hasText: "spring" }).waitFor();
    const lead = t.import.lead.replace("{{source}}", t.import.sources["json-resume"]);
    await page.getByText(lead).waitFor();
    const roles = page.getByLabel(t.fields.role, { exact: true });
    await roles.first().fill(`${text.role} 2`);
    await button(page, `${t.import.skip} ${t.profile.phone}`).press("Enter");
    await button(page, `${t.import.skipAll} ${t.kinds.experience}: ${text.other}`).press("Enter");
    await make(page, language);
    await expect.poll(() => name(page, language).inputValue()).toBe(text.name);
    expect(await page.getByLabel(t.profile.phone, { exact: true }).inputValue()).toBe("");
    const titles = page.locator(".cv-entry__toggle .cv-entry__title");
    expect(await titles.allInnerTexts()).toEqual([`${text.role} 2`]);

    const docx = await fileOf(page, language, "docx");
    const pdf = await fileOf(page, language, "pdf");
    for (const [file, source] of [
      [docx, t.import.sources.docx],
      [pdf, t.import.sources.pdf],
    ] as const) {
      await readFileIn(page, language, file);
      await page.getByText(t.import.lead.replace("{{source}}", source)).waitFor();
      await expect.poll(() => name(page, language).inputValue()).toBe(text.name);
      await make(page, language);
      expect(await titles.allInnerTexts()).toEqual([`${text.role} 2`]);
    }
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  180_000,
);

test.each<Language>(["he"])(
  "in %s a photo with its description, a named version that is restored, and a link whose open is shown beside the CV",
  async (language) => {
    const { cv: t, links } = texts[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await signIn(page, language);
    await begin(page, language, `${written[language].role} 3`);
    await name(page, language).fill("A");
    await saved(page);

    await tab(page, t.parts.versions).press("Enter");
    await button(page, new RegExp(`^${t.versions.name} `, "u"))
      .first()
      .press("Enter");
    await page.getByRole("dialog").getByLabel(t.versions.nameLabel).fill("Rambam");
    await button(page, t.name.save).press("Enter");
    await page.locator(".cv-version__name", { hasText: "Rambam" }).waitFor();

    await tab(page, t.parts.look).press("Enter");
    const buffer = Buffer.from(await drawnPicture(page));
    const picture = { name: "me.png", mimeType: "image/png", buffer };
    await page.getByLabel(t.photo.choose, { exact: true }).setInputFiles(picture);
    await page.getByLabel(t.photo.alt, { exact: true }).fill("Noa, smiling");
    await saved(page);
    await page.reload();
    await expect
      .poll(() => page.getByLabel(t.photo.alt, { exact: true }).inputValue())
      .toBe("Noa, smiling");
    expect(await page.getByLabel(t.photo.show, { exact: true }).isChecked()).toBe(true);
    await page.getByRole("img", { name: t.page.alt_one.replace("{{count}}", "1") }).waitFor();

    await tab(page, t.parts.versions).press("Enter");
    await button(page, `${t.versions.restore} Rambam`).press("Enter");
    await page.getByText(t.versions.restored).waitFor();
    await tab(page, t.parts.look).press("Enter");
    await page.getByLabel(t.photo.alt, { exact: true }).waitFor({ state: "detached" });

    await tab(page, t.parts.share).press("Enter");
    await button(page, t.share.action).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=label]").fill("Sheba");
    await button(page, links.create.submit).press("Enter");
    const shared = await dialog.locator("bdi[dir=ltr]").innerText();
    await button(page, links.create.finish).press("Enter");
    const entry = page.locator(".links__entry", { hasText: "Sheba" });
    await entry.waitFor();
    const person = await stack.visit({ language, extraHTTPHeaders: named });
    await person.page.goto(shared);
    await person.page.locator("canvas").first().waitFor();
    const opened = links.list.recent.replace(
      "{{opens}}",
      links.opens_one.replace("{{shown}}", "1"),
    );
    await expect
      .poll(
        async () => {
          await page.reload();
          await entry.waitFor();
          return entry.innerText();
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toContain(opened);
    await page.getByRole("link", { name: t.title, exact: true }).first().press("Enter");
    const line = [
      t.share.links_one.replace("{{shown}}", "1"),
      t.share.opens_one.replace("{{shown}}", "1"),
    ].join(" · ");
    const card = page.locator(".cv-card", { hasText: `${written[language].role} 3` });
    await card.getByText(line).waitFor();
    expect(visitor.noise).toEqual([]);
    await person.leave();
    await visitor.leave();
  },
  180_000,
);
