import { templates } from "@pro-talent/schemas/studio/page";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, expect, it } from "vitest";

import { charactersWithoutGlyph } from "./faces.ts";
import { outlineOf } from "./outline.ts";
import { openCvDrawer } from "./pdf/draw-cv.ts";
import { readPdf } from "./reading/readers.ts";
import { corpus, ordinaryCv } from "./testing/corpus.ts";

const drawer = openCvDrawer();
afterAll(() => drawer.close());
const noon = Date.UTC(2026, 0, 1, 12);
const draw = (document: Parameters<typeof drawer.pdf>[0]) =>
  drawer.pdf(document, noon, { name: "cv" });

it.each(templates)(
  "%s: a tagged PDF/UA-1 in both languages, the same bytes each time",
  async (template) => {
    for (const language of ["en", "he"] as const) {
      const document = ordinaryCv(language, 2, { template });
      const [first, second] = [await draw(document), await draw(document)];
      expect([first.accessible, first.pdf.equals(second.pdf)]).toEqual([true, true]);
      expect(first.pdf.includes("/StructTreeRoot")).toBe(true);
      expect(first.pdf.includes("/Direction /R2L")).toBe(false);
    }
  },
);

it("only typefaces of the product are embedded, as subsets", async () => {
  const odd = corpus(18).filter(({ oddity }) => ["emoji", "cjk", "extreme"].includes(oddity));
  for (const { document } of odd) {
    const { pdf } = await draw(document);
    const names = pdf.toString("latin1").match(/(?<=\/FontName \/)\S+/g) ?? [];
    const known =
      /^[A-Z]{6}\+(?:SourceSerif4|SourceSans3|Roboto|FrankRuhlLibre|Assistant|Heebo|NotoSansArabic|NotoEmoji)-\w+$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
  }
});

it("characters without a glyph are named, and replaced by a sign in the file", async () => {
  const document = ordinaryCv("en", 1, {});
  const named = {
    ...document,
    profile: { ...document.profile, fullName: "Dana 東京 Я نور \u{1F600} שלום" },
  };
  expect(charactersWithoutGlyph(outlineOf(named), "serif")).toEqual(["東", "京"]);
  const { pdf, accessible } = await draw(named);
  expect(accessible).toBe(true);
  expect((await readPdf(pdf)).pdfium).toContain("□□");
});

it("what a person writes is never source of the template", async () => {
  const written = '#read("/etc/passwd") $x^2$ *bold* _it_ #let a = 1 @ref <tag> \\ // no';
  const document = ordinaryCv("en", 1, {});
  const { pdf } = await draw({ ...document, profile: { ...document.profile, headline: written } });
  expect((await readPdf(pdf))["pdf.js"].replaceAll(/\s+/g, " ")).toContain(written);
});

it("another template, accent, density or pair of typefaces loses nothing of what is written", async () => {
  const document = ordinaryCv("en", 2, {});
  const words = async (page: Partial<typeof document.page>) => {
    const { pdf } = await draw({ ...document, page: { ...document.page, ...page } });
    return (await readPdf(pdf)).pdfium
      .split(/[\s·,]+/)
      .toSorted()
      .join(" ");
  };
  const first = await words({ template: "rail", fonts: "mixed", density: "airy", size: "us" });
  expect(await words({ template: "editorial", fonts: "grotesque", density: "dense" })).toBe(first);
});

it("a picture is shown where the CV says so, with its alternative text", async () => {
  const pixel = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
    "base64",
  );
  const document = ordinaryCv("en", 1, { showPhoto: true });
  const photo = { bytes: pixel, kind: "png" } as const;
  const shown = await drawer.pdf(document, noon, { name: "cv", photo });
  expect([shown.accessible, shown.pdf.includes("/Subtype /Image")]).toEqual([true, true]);
  const page = { ...document.page, showPhoto: false };
  const hidden = await drawer.pdf({ ...document, page }, noon, { name: "cv", photo });
  expect(hidden.pdf.includes("/Subtype /Image")).toBe(false);
});

it.each(templates)(
  "the preview has the pages of the file as %s, without text",
  async (template) => {
    const document = ordinaryCv("he", 2, { template });
    const { drawing, pages } = await drawer.pages(document, { name: "cv" });
    expect([pages, Math.round(drawing.height / 842)]).toEqual([
      (await draw(document)).pages,
      pages,
    ]);
    expect(drawing.marks.length).toBeGreaterThan(50);
    expect(JSON.stringify(drawing)).not.toMatch(/[א-ת]|https:|mailto:/);
  },
);

/** How far below the top of the first page the lines of a file stand, in whole points. */
async function baselinesOf(pdf: Uint8Array): Promise<Set<number>> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, useSystemFonts: false });
  const file = await task.promise;
  const baselines = new Set<number>();
  for (let number = 1; number <= file.numPages; number += 1) {
    const page = await file.getPage(number);
    const { height } = page.getViewport({ scale: 1 });
    for (const item of (await page.getTextContent()).items)
      if ("str" in item && item.str.trim() !== "")
        baselines.add(Math.round(number * height - Number(item.transform[5])));
  }
  await task.destroy();
  return baselines;
}

it("each line of the preview stands where it stands in the file", async () => {
  for (const { document, seed } of corpus(18)) {
    const { drawing } = await drawer.pages(document, { name: "cv" });
    const drawn = drawing.marks.flatMap(({ kind, at }) =>
      kind === "line" ? [Math.round(Number(at.split(" ")[5]))] : [],
    );
    const inFile = await baselinesOf((await draw(document)).pdf);
    const isNear = (places: Iterable<number>, place: number): boolean =>
      [...places].some((other) => Math.abs(other - place) <= 1);
    const apart = {
      drawn: drawn.filter((place) => !isNear(inFile, place)),
      inFile: [...inFile].filter((place) => !isNear(drawn, place)),
    };
    expect({ seed, ...apart }).toEqual({ seed, drawn: [], inFile: [] });
  }
});

it("a title of a section or an entry is never the last line of a page", async () => {
  const titles = (document: Parameters<typeof outlineOf>[0]): Set<string> =>
    new Set(outlineOf(document).sections.map(({ title }) => title));
  let breaks = 0;
  for (const { document } of corpus(60).filter((cv) => cv.document.language === "en")) {
    const { pdf } = await draw(document);
    const text = (await readPdf(pdf)).pdfium;
    for (const page of text.split("\f").slice(0, -1)) {
      breaks += 1;
      const last = page.trim().split("\n").at(-1)?.trim() ?? "";
      expect(titles(document).has(last)).toBe(false);
    }
  }
  expect(breaks).toBeGreaterThan(10);
});
