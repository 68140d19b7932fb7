import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import { drawCv, hostilePdf, scannedPdf } from "../../../infra/quality/testing/draw-cv.ts";
import { type Language, type Visitor } from "../fixtures.ts";
import { docxFile, fileTarget, type LinkOwners, signInOwners } from "../link-owners.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "../page-faults.ts";
import { type OperatedStack, startOwnStack } from "../products.ts";

/** What a reader of a share link sees, and what its owner learns of it, through the whole product. */
let stack: OperatedStack;
let owners: LinkOwners;
let cv: Record<Language, Buffer>;

beforeAll(async () => {
  stack = await startOwnStack();
  owners = await signInOwners(stack);
  cv = {
    en: await drawCv({ language: "en", name: "Noa Levi", pages: 3 }),
    he: await drawCv({ language: "he", name: "נועה לוי", pages: 3 }),
  };
}, 240_000);
afterAll(() => stack.stop());

const Report = z.object({
  seconds: z.int(),
  pages: z.int(),
  pages_total: z.int(),
  downloaded: z.boolean(),
});

/** What the reports of a link's opens amount to, once there are some. */
const reportsOf = async (linkId: string) =>
  await vi.waitFor(
    async () => {
      const text = await stack.ask(
        `SELECT max(seconds) AS seconds, max(pages) AS pages, max(pages_total) AS pages_total,
                max(downloaded) AS downloaded
         FROM link_reports WHERE link_id = '${linkId}' HAVING count() > 0 FORMAT JSONEachRow`,
      );
      return Report.parse(JSON.parse(text));
    },
    { timeout: 15_000, interval: 200 },
  );

async function visitor(language: Language, options: object = {}): Promise<Visitor> {
  const opened = await stack.visit({ language, ...options });
  await opened.page.context().addInitScript(faultFinder);
  return opened;
}

/** In both themes, at both widths. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [colorScheme, width] of [
    ["dark", 320],
    ["light", 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const found = [
      // What axe judges beside contrasts is the same in both.
      ...(await accessibilityFaults(
        page,
        colorScheme === "dark" ? { rules: ["color-contrast"] } : {},
      )),
      ...(await overflowFaults(page)),
      // Links within the picture of a page are as large as the document makes them (WCAG 2.5.8, inline).
      ...(await targetFaults(page)).filter((fault) => !fault.includes("sheet__link")),
    ];
    faults.push(...found.map((fault) => `${width} ${colorScheme}: ${fault}`));
  }
  return faults;
}

const drawn = (page: Page) => page.locator(".sheet canvas").first().waitFor();

describe.each(["en", "he"] as const)("a reader of a PDF (%s)", (language) => {
  test("sees its pages and their text, saves it, and its owner learns how far it was read", async () => {
    const { linkId, code } = await owners.createLink(
      fileTarget(cv[language], `CV ${language}.pdf`),
    );
    const { page, noise, leave } = await visitor(language);
    const confirmed = page.waitForRequest((request) => request.method() === "POST");
    await page.goto(`/l/${code}`);
    await drawn(page);
    expect(await page.locator("html").getAttribute("dir")).toBe(language === "he" ? "rtl" : "ltr");
    expect(await page.locator(".sheet").count()).toBe(3);
    await page.locator(".sheet__text span").first().waitFor();
    const text = await page.locator(".sheet").first().textContent();
    expect(text).toContain(language === "he" ? "לוי" : "Product designer");
    const link = page.locator(".sheet__link").first();
    expect(await link.getAttribute("href")).toBe("https://example.com/work");
    await page.locator("[data-act=larger]").click();
    expect(await page.locator("[data-size]").textContent()).toBe("125%");
    await page.locator("[data-act=fit]").click();
    await page.locator("[data-act=next]").focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator("[data-place]").textContent())
      .toBe(language === "he" ? "עמוד 2 מתוך 3" : "Page 2 of 3");
    const begun = page.waitForEvent("download");
    await page.locator(".bar__save").click();
    const saved = await begun;
    expect(saved.suggestedFilename()).toBe(`CV ${language}.pdf`);
    expect(await readFile(await saved.path())).toEqual(cv[language]);
    await confirmed;
    await page.goto("about:blank");
    await expect
      .poll(() => reportsOf(linkId), { timeout: 15_000 })
      .toEqual({ seconds: expect.any(Number), pages: 2, pages_total: 3, downloaded: true });
    expect((await reportsOf(linkId)).seconds).toBeGreaterThan(0);
    await page.goBack();
    await drawn(page);
    expect(await faultsOf(page)).toEqual([]);
    expect(noise).toEqual([]);
    await leave();
  });
});

describe.each<Language>(["en"])("a reader (%s)", (language) => {
  test("of a DOCX sees its name and size, and saves it", async () => {
    const target = fileTarget(docxFile(), "cv.docx");
    const { linkId, code } = await owners.createLink(target);
    const { page, noise, leave } = await visitor(language);
    await page.goto(`/l/${code}`);
    expect(await page.locator("h1").textContent()).toBe("cv.docx");
    expect(await faultsOf(page)).toEqual([]);
    const begun = page.waitForEvent("download");
    await page.locator("main .button").click();
    expect((await begun).suggestedFilename()).toBe("cv.docx");
    await expect
      .poll(() => reportsOf(linkId), { timeout: 15_000 })
      .toMatchObject({ pages_total: 0, downloaded: true });
    expect(noise).toEqual([]);
    await leave();
  });

  test("of a locked link gives its password, sees that a wrong one opens nothing, and reads", async () => {
    const { code } = await owners.createLink(fileTarget(cv[language]), { password: "let me in" });
    const { page, noise, leave } = await visitor(language);
    await page.goto(`/l/${code}`);
    expect(await faultsOf(page)).toEqual([]);
    await page.locator("[name=password]").fill("guess");
    await page.locator("[name=password]").press("Enter");
    await page.locator("[role=alert]").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.locator("[name=password]").fill("let me in");
    await page.locator("[name=password]").press("Enter");
    await drawn(page);
    // The browser reports the status of the refused password.
    expect(noise.filter((text) => !text.includes("403"))).toEqual([]);
    await leave();
  });
});

describe.each<Language>(["he"])("a reader (%s)", (language) => {
  test("of the owner's page sees what was published, and the owner learns that it was read", async () => {
    const { linkId, code } = await owners.createLink({ kind: "profile" });
    const { page, noise, leave } = await visitor(language);
    await page.goto(`/l/${code}`);
    const name = language === "he" ? "נועה לוי" : "Noa Levi";
    expect(await page.locator("h1").textContent()).toBe(name);
    expect(await page.locator(".photo").evaluate(isDrawn)).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    expect((await reportsOf(linkId)).seconds).toBeGreaterThan(0);
    await page.goto("/p/noa-levi");
    expect(await page.locator("h1").textContent()).toBe(name);
    expect(await faultsOf(page)).toEqual([]);
    expect(noise).toEqual([]);
    await leave();
  });

  test("reports a link with a plain form", async () => {
    const { code } = await owners.createLink(fileTarget(cv[language]));
    const { page, leave } = await visitor(language, { javaScriptEnabled: false });
    await page.goto(`/l/${code}`);
    await page.locator("noscript p, .pages__state").first().waitFor();
    await page.locator("a[href$='/report']").click();
    await page.locator("[value=impersonation]").check();
    await page.locator("button").click();
    expect(await page.locator("h1").textContent()).toContain(
      language === "he" ? "תודה" : "Thank you",
    );
    await leave();
  });
});

const isDrawn = (image: Element): boolean =>
  image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0;

describe("what a document asks for", () => {
  test("a PDF with scripts, a form and a program to start shows its text and does nothing else", async () => {
    const { code } = await owners.createLink(fileTarget(hostilePdf()));
    const { page, noise, leave } = await visitor("en");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("dialog", (dialog) => {
      asked.push("dialog");
      void dialog.dismiss();
    });
    await page.goto(`/l/${code}`);
    await drawn(page);
    await page.locator(".sheet__text span").first().waitFor();
    expect(await page.locator(".sheet").textContent()).toContain("Hostile document");
    expect(await page.locator(".sheet__link").count()).toBe(0);
    await page.locator(".sheet").click();
    expect(asked.filter((url) => !url.startsWith(stack.origin))).toEqual([]);
    // The font that the document does not bring along.
    expect(asked.some((url) => url.includes("/standard_fonts/"))).toBe(true);
    expect(noise).toEqual([]);
    await leave();
  });

  test("a scanned page is decoded without WebAssembly", async () => {
    const { code } = await owners.createLink(fileTarget(scannedPdf()));
    const { page, noise, leave } = await visitor("en");
    await page.goto(`/l/${code}`);
    await drawn(page);
    const colour = await page.locator(".sheet canvas").evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return [];
      const { width, height } = canvas;
      return [...(canvas.getContext("2d")?.getImageData(width / 2, height / 2, 1, 1).data ?? [])];
    });
    expect(colour).toEqual([0, 0, 0, 255]);
    expect(noise).toEqual([]);
    await leave();
  });

  test("a PDF that cannot be drawn is offered as a download", async () => {
    const { code } = await owners.createLink(fileTarget(Buffer.from("%PDF-1.7\nnothing\n%%EOF\n")));
    const { page, leave } = await visitor("en");
    await page.goto(`/l/${code}`);
    await page.locator(".pages__state--failed").waitFor();
    expect(await page.locator(".bar__save").isVisible()).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await leave();
  });

  test("HTML that is named as a PDF is refused", async () => {
    const page = Buffer.from("<script>alert(1)</script>");
    await expect(owners.createLink(fileTarget(page))).rejects.toThrow("file_unreadable");
  });
});

test("a locked link elsewhere leads there with its password", async () => {
  const url = "https://example.com/portfolio";
  const { code } = await owners.createLink({ kind: "external", url }, { password: "let me in" });
  const { page, noise, leave } = await visitor("en");
  // Whether that site answers does not matter: a policy would stop the request itself.
  const led = page.waitForRequest(url);
  await page.goto(`/l/${code}`);
  await page.locator("[name=password]").fill("let me in");
  await page.locator("[name=password]").press("Enter");
  await led;
  expect(noise.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
  await leave();
});

test("an address that was passed on opens in another browser for two minutes at most", async () => {
  const { code } = await owners.createLink(fileTarget(cv.en));
  const { page, leave } = await visitor("en");
  await page.goto(`/l/${code}`);
  await drawn(page);
  await page.reload();
  await drawn(page);
  const passedOn = page.url();
  await stack.operate("infra/embedded/clock.cli.ts", "+1h");
  const other = await visitor("en");
  const moved = other.page.waitForRequest((request) => request.url().endsWith(`/l/${code}`));
  await other.page.goto(passedOn);
  await moved;
  await drawn(other.page);
  expect(other.page.url()).not.toBe(passedOn);
  await other.leave();
  await leave();
});

test("without the plan there is no public page, and a link to it is not available", async () => {
  await owners.call("free", "PATCH", "/api/account/profile", { handle: "yonatan-aviv" });
  const profile = { fullName: "Yonatan", headline: "x" };
  const document = { version: 1, language: "he", look: {}, profile };
  await owners.call("free", "PUT", "/api/portfolio/pages/he", { basedOn: null, document });
  const pages = [{ language: "he", version: 1 }];
  const publishing = owners.call("free", "POST", "/api/portfolio/publish", {
    state: "published",
    pages,
  });
  await expect(publishing).rejects.toThrow("portfolio_not_included");
  expect((await fetch(new URL("/p/yonatan-aviv", stack.origin))).status).toBe(404);
  const { code } = await owners.createLink({ kind: "profile" }, {}, "free");
  expect((await fetch(new URL(`/l/${code}`, stack.origin))).status).toBe(404);
});
