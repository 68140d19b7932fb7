import { openDocumentDrawer } from "@pro-talent/platform/documents/draw-documents";
import { locales } from "@pro-talent/schemas/primitives/locale";
import { afterAll, describe, expect, it } from "vitest";

import { discounted, sampleCreditNote, sampleInvoice } from "../testing/samples.ts";
import { decimal, documentView } from "./document-view.ts";
import { drawDocument } from "./draw-document.ts";
import { renderHtml } from "./render-html.ts";

const drawer = openDocumentDrawer();
afterAll(() => drawer.close());

const samples = [
  ["invoice", sampleInvoice()],
  ["credit note", sampleCreditNote()],
] as const;

describe.each(locales)("in %s", (language) => {
  it.each(samples)(
    "the %s is a tagged PDF, with one typeface and no direction",
    async (_, stored) => {
      const pdf = await drawDocument(drawer, stored, language);
      expect(pdf.includes("pdfuaid:part")).toBe(true);
      expect(pdf.includes("/StructTreeRoot")).toBe(true);
      expect(pdf.includes(language === "he" ? "(he" : "(en")).toBe(true);
      expect(pdf.includes("/Direction /R2L")).toBe(false);
      const fonts = pdf.toString("latin1").match(/\/FontName \/[A-Z]+\+(\w+)/g) ?? [];
      expect(fonts.length).toBeGreaterThan(0);
      expect(fonts.filter((font) => !font.includes("Heebo"))).toEqual([]);
    },
  );

  it.each(samples)("the page of the %s states what the document states", (_, stored) => {
    const html = renderHtml(documentView(stored, language));
    const { label, seller, taxes } = stored.issued;
    for (const text of [label, seller.name[language], seller.taxId ?? "", "6.66 USD", "5.64 USD"]) {
      expect(html).toContain(text);
    }
    expect(taxes).toHaveLength(1);
    expect(html).toContain("18%");
    expect(html).toContain("1 USD = 3.65 ILS");
    expect(html).toContain("24.31 ILS");
    expect(html).toContain("נועה לוי");
  });
});

it("the credit note names its invoice", () => {
  const html = renderHtml(documentView(sampleCreditNote()));
  expect(html).toContain("INV-2026-000042");
  expect(html).toContain("22 November 2026");
});

it("what a buyer wrote is text, on the page and in the PDF", async () => {
  const buyer = { name: '<script>alert(1)</script> #read("/etc/passwd")', address: "</style>" };
  const stored = { ...sampleInvoice(), buyer };
  const html = renderHtml(documentView(stored));
  expect(html).not.toContain("<script>");
  expect(html.match(/<\/style>/g)).toHaveLength(1);
  expect((await drawDocument(drawer, stored)).length).toBeGreaterThan(1000);
});

it.each([
  ["en", "Launch discount, 20%"],
  ["he", "הנחת השקה, 20%"],
] as const)(
  "a discount is a line of its own in %s, with its part of the taxes",
  async (language, text) => {
    const stored = sampleInvoice(discounted);
    const view = documentView(stored, language);
    expect(view.rows[1]).toMatchObject({ description: text, amounts: ["-3.39", "-0.61", "-4.00"] });
    expect(renderHtml(view)).toContain(text);
    expect((await drawDocument(drawer, stored, language)).includes("pdfuaid:part")).toBe(true);
  },
);

it("a document of a seller without registration is marked as a sample", () => {
  const { seller } = sampleInvoice().issued;
  const view = documentView(sampleInvoice({ seller: { ...seller, taxId: null } }));
  expect(view.mark).toBe("Sample");
  expect(view.note).toContain("not a tax document");
});

it.each([
  [123456789, 2, "1,234,567.89"],
  [-5, 2, "-0.05"],
  [1000, 0, "1,000"],
  [-1234, 3, "-1.234"],
])("%i with %i decimals is %s", (minor, digits, text) => {
  expect(decimal(minor, digits)).toBe(text);
});
