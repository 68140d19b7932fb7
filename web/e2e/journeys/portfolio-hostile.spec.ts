import { portfolioLimits } from "@pro-talent/schemas/studio/limits";
import { zipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { hostilePictures, planted } from "../../../infra/quality/testing/hostile-pictures.ts";
import { hostileAddresses, hostileTexts } from "../hostile-contents.ts";
import { type LinkOwners, signInOwners } from "../link-owners.ts";
import { faultFinder, overflowFaults } from "../page-faults.ts";
import { type OperatedStack, startOwnStack } from "../products.ts";

/** What an owner may write on a portfolio: nothing of it runs, tracks its readers, deceives them or breaks the page. */
let stack: OperatedStack;
let owners: LinkOwners;
let version: number | null = null;

beforeAll(async () => {
  stack = await startOwnStack();
  owners = await signInOwners(stack);
  const { portfolio } = await ask<{
    portfolio: { pages: { language: string; version: number }[] };
  }>("GET", "/api/portfolio");
  version = portfolio.pages.find(({ language }) => language === "en")?.version ?? null;
}, 240_000);
afterAll(() => stack.stop());

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own fields are read below
  return (await owners.call("premium", method, path, body)) as Answer;
}

const runs = (text: string, link: string | null = null) => [{ text, link }];

/** A section in which a text stands in every field, with an address in every link. */
const sectionOf = (text: string, url: string, index: number) => ({
  id: `s${index}`,
  kind: "projects",
  title: text,
  entries: [
    {
      id: `e${index}`,
      name: text,
      role: text,
      url,
      bullets: [
        { id: `b${index}`, text: runs(text, url) },
        { id: `c${index}`, text: runs("paypal.com", "https://example.com/") },
      ],
    },
  ],
});

/** Pictures that were stored, with a text of each. */
const galleryOf = (files: readonly string[]) => ({
  id: "gallery",
  kind: "projects",
  title: "Pictures",
  entries: Array.from({ length: Math.ceil(files.length / picturesMax) }, (_, at) => ({
    id: `g${at}`,
    name: `Part ${at}`,
    pictures: files
      .slice(at * picturesMax, (at + 1) * picturesMax)
      .map((file) => ({ id: file, file, alt: "A picture" })),
  })),
});
const { picturesMax } = portfolioLimits;

const perPage = 20;
const themes = ["folio", "index", "atelier", "margin", "poster"] as const;

/** Publishes a page with some of the texts and pictures; it is there once the page names it. */
async function publish(
  texts: readonly string[],
  at: number,
  theme: string,
  files: readonly string[] = [],
): Promise<void> {
  const [first = ""] = texts;
  const marker = `marker-${at}-${theme}`;
  const document = {
    version: 1,
    language: "en",
    look: { theme, accent: "rust" },
    profile: {
      fullName: `${first.slice(0, 60)} ${marker}`,
      headline: first,
      place: first,
      links: hostileAddresses
        .slice(at % 3, (at % 3) + 8)
        .map((url, index) => ({ id: `l${index}`, label: first.slice(0, 100), url })),
    },
    sections: [
      ...texts.map((text, index) =>
        sectionOf(text, hostileAddresses[(at + index) % hostileAddresses.length] ?? "", index),
      ),
      ...(files.length === 0 ? [] : [galleryOf(files)]),
    ],
  };
  const saved = await ask<{ page: { version: number } }>("PUT", "/api/portfolio/pages/en", {
    basedOn: version,
    document,
  });
  version = saved.page.version;
  const pages = [{ language: "en", version }];
  await ask("POST", "/api/portfolio/publish", { state: "published", pages });
  await vi.waitFor(
    async () => {
      const page = await fetch(new URL("/p/noa-levi", stack.origin));
      expect(await page.text()).toContain(marker);
    },
    { timeout: 10_000, interval: 250 },
  );
}

/** What no page of a portfolio has, whatever is written on it. */
const forbidden = (page: Page): Promise<string[]> =>
  // oxlint-disable-next-line complexity -- it runs in the page, where nothing else of this file is
  page.evaluate(() => {
    const faults: string[] = [];
    for (const element of document.querySelectorAll("*")) {
      const name = element.tagName.toLowerCase();
      const isData =
        name === "script" &&
        (element.getAttribute("type") === "application/ld+json" ||
          // The script of the product reports what was seen.
          (element.getAttribute("src") === "/viewer/viewer.js" && element.textContent === ""));
      if (
        /^(?:script|style|iframe|object|embed|base|svg|math|video|template)$/u.test(name) &&
        !isData
      )
        faults.push(name);
      for (const { name: attribute } of element.attributes)
        if (attribute.startsWith("on") || attribute === "style" || attribute === "ping")
          faults.push(`${name} ${attribute}`);
    }
    for (const link of document.querySelectorAll("a")) {
      const outside = link.origin !== location.origin;
      if (outside && link.protocol !== "https:" && link.protocol !== "http:")
        faults.push(link.href);
      if (outside && !link.rel.includes("nofollow") && link.closest(".foot") === null)
        faults.push(`followed ${link.href}`);
      if (/^https:\/\/(?:evil|user|127|localhost|printer)/u.test(link.href)) faults.push(link.href);
    }
    // The only form is the one that writes to the owner.
    for (const form of document.querySelectorAll("form"))
      if (new URL(form.action).pathname !== "/p/noa-levi/contact") faults.push(form.outerHTML);
    return faults;
  });

/** Whether the way to report the page is where it can be pressed. */
const reportable = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const link = document.querySelector("a[href*='/report']");
    link?.scrollIntoView({ block: "center" });
    const box = link?.getBoundingClientRect();
    if (!link || !box) return false;
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return hit === link;
  });

describe.each(Array.from({ length: Math.ceil(hostileTexts.length / perPage) }, (_, at) => at))(
  "hostile texts, part %i",
  (at) => {
    const texts = hostileTexts.slice(at * perPage, (at + 1) * perPage);

    test("are text: none runs, loads, leads astray or covers the page, in any theme", async () => {
      for (const theme of at === 0 ? themes : [themes[at % themes.length] ?? "folio"]) {
        await publish(texts, at, theme);
        const { page, noise, leave } = await stack.visit({ language: "en" });
        await page.context().addInitScript(faultFinder);
        const asked: string[] = [];
        page.on("request", (request) => asked.push(request.url()));
        page.on("dialog", (dialog) => {
          asked.push("dialog");
          void dialog.dismiss();
        });
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto("/p/noa-levi?lang=en");
          expect(await overflowFaults(page)).toEqual([]);
          expect(await reportable(page)).toBe(true);
        }
        expect(await forbidden(page)).toEqual([]);
        expect(asked.filter((url) => !url.startsWith(stack.origin))).toEqual([]);
        expect(noise).toEqual([]);
        // Who reads `paypal.com` sees where it leads.
        expect(await page.getByText("paypal.com example.com").count()).toBe(texts.length);
        const json = await page.locator("script[type='application/ld+json']").textContent();
        expect(JSON.parse(json ?? "")).toMatchObject({ "@type": "Person" });
        await leave();
      }
    });
  },
);

/** Sends a file as a picture. @returns its name, once it is stored; undefined where it is refused */
async function store(bytes: Buffer): Promise<string | undefined> {
  const body = { content: bytes.toString("base64") };
  try {
    return (await ask<{ file: string }>("POST", "/api/portfolio/pictures", body)).file;
  } catch (error) {
    if (String(error).includes("picture_unreadable")) return undefined;
    throw error;
  }
}

test("hostile pictures are refused, or drawn anew without what they carried, and shown beside hostile texts", async () => {
  const pictures = await hostilePictures();
  const files: string[] = [];
  const became: Record<string, string> = {};
  for (const { name, bytes } of pictures) {
    const file = await store(bytes);
    became[name] = file === undefined ? "refused" : "drawn";
    if (file !== undefined) files.push(file);
  }
  expect(became).toEqual(Object.fromEntries(pictures.map(({ name, becomes }) => [name, becomes])));
  const bomb = zipSync({ "word/document.xml": new Uint8Array(70 * 1024 * 1024) });
  const content = Buffer.from(bomb).toString("base64");
  await expect(ask("POST", "/api/cvs/import", { content, language: "en" })).rejects.toThrow(
    "import_unreadable",
  );

  await publish(hostileTexts.slice(0, 4), hostileTexts.length, "folio", files);
  const { page, noise, leave } = await stack.visit({ language: "en" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/p/noa-levi?lang=en");
  const images = page.locator("#content img");
  expect(await images.count()).toBe(files.length);
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => image.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth))
      .toBeGreaterThan(0);
  }
  for (const file of files) {
    const answer = await fetch(new URL(`/p/noa-levi/pictures/${file}`, stack.origin));
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get("content-type")).toBe("image/webp");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    // A WebP of one frame without EXIF, XMP or a profile (RFC 9649).
    expect(bytes.subarray(0, 15).toString("latin1")).toMatch(/^RIFF[^]{4}WEBPVP8$/u);
    expect(bytes.includes(planted)).toBe(false);
  }
  expect(await forbidden(page)).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(stack.origin))).toEqual([]);
  expect(noise).toEqual([]);
  await leave();
});
