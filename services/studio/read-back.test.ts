import { afterAll, beforeAll, expect, it } from "vitest";

import { docxOf } from "./export/docx.ts";
import { openCvDrawer } from "./pdf/draw-cv.ts";
import { compare } from "./reading/compare.ts";
import { readBack } from "./reading/read-back.ts";
import { readFiles } from "./reading/readers.ts";
import { corpus, ordinaryCv } from "./testing/corpus.ts";
import { measureCorpus } from "./testing/measure-corpus.ts";

/** Of each oddity, in both languages. */
const sample = corpus(18);
const drawer = openCvDrawer();
afterAll(() => drawer.close());
let measured: Awaited<ReturnType<typeof measureCorpus>>;
beforeAll(async () => {
  measured = await measureCorpus(drawer, sample, { withInstalled: false });
});
const figures = (name: string) => {
  const found = measured.figures.get(name);
  if (found === undefined) throw new Error(`No figures of ${name}`);
  return found;
};

it("every CV of the sample becomes files that keep PDF/UA-1, whatever is in it", () => {
  expect(measured.failed).toEqual([]);
  expect([measured.made.length, measured.conforming, measured.lostInJson]).toEqual([18, 18, 0]);
});

it("the readers of the product get every English field of a PDF whole", () => {
  for (const name of ["pdf.js en", "pdfium en"]) {
    const { latin, contact } = figures(name);
    expect([name, latin.found, contact.found]).toEqual([name, latin.of, contact.of]);
    expect(latin.of).toBeGreaterThan(500);
  }
});

it("contact data of a Hebrew PDF are whole, and its words and their order are kept as measured", () => {
  const { contact, words, order } = figures("pdfium he");
  expect(contact.found).toBe(contact.of);
  expect(words.found / words.of).toBeGreaterThan(0.98);
  expect(order.found / order.of).toBeGreaterThan(0.8);
});

it("DOCX and plain text lose nothing in either language", () => {
  for (const name of ["docx en", "docx he", "text en", "text he"]) {
    const { latin, rightToLeft } = figures(name);
    expect([name, latin.found, rightToLeft.found]).toEqual([name, latin.of, rightToLeft.of]);
  }
});

it("for a Hebrew CV DOCX is recommended, for an English one PDF", async () => {
  const recommended = async (language: "en" | "he") => {
    const document = ordinaryCv(language, 1, { template: "classic", fonts: "humanist" });
    const [entry] = document.sections;
    const sections = entry === undefined ? [] : [entry];
    const cv = { ...document, sections };
    const { pdf } = await drawer.pdf(cv, 0, { name: "cv" });
    return readBack(cv, await readFiles(pdf, await docxOf(cv))).recommended;
  };
  expect([await recommended("en"), await recommended("he")]).toEqual(["pdf", "docx"]);
});

it("a field that a reader does not get whole has advice about what to change", async () => {
  const document = ordinaryCv("en", 1, {});
  const profile = { ...document.profile, fullName: "Dana 東京", headline: "Nurse במכון הכרמל" };
  const cv = { ...document, profile };
  const { pdf } = await drawer.pdf(cv, 0, { name: "cv" });
  const { readings } = readBack(cv, await readFiles(pdf, await docxOf(cv)));
  const advice = (path: string) =>
    readings.find(({ reader }) => reader === "pdfium")?.fields.find((field) => field.path === path);
  expect(advice("profile.fullName")).toMatchObject({
    found: "damaged",
    advice: "replace-characters",
  });
  expect(
    readings.find(({ file }) => file === "docx")?.fields.every(({ found }) => found === "whole"),
  ).toBe(true);
});

it("a comparison separates whole, damaged and missing fields, and finds the order of words", () => {
  const field = (text: string) => ({ path: text, text, isContact: false });
  const fields = ["Lead designer", "Carmel Health Services", "Haifa"].map(field);
  const {
    fields: found,
    words,
    order,
  } = compare(fields, "Carmel Clinic Health Services\nLead\n designer");
  expect(found.map((one) => one.found)).toEqual(["whole", "damaged", "missing"]);
  expect([words, order]).toEqual([5 / 6, 3 / 6]);
});
