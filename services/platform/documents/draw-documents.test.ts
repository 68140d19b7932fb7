import { afterAll, expect, it } from "vitest";

import { openDocumentDrawer } from "./draw-documents.ts";

const drawer = openDocumentDrawer();
afterAll(() => drawer.close());

const template = `#let data = json(bytes(sys.inputs.data))
#set document(title: data.title)
#set text(font: "Heebo", lang: data.language, fallback: false)
= #data.title
#data.text`;
const draw = (text: string, language = "en") =>
  drawer.draw(template, { title: "Invoice", text, language }, Date.UTC(2026, 0, 1));

it("a document is a PDF for screen readers, the same bytes from the same input", async () => {
  const [first, second] = [await draw("Noa Levi"), await draw("Noa Levi")];
  expect(first.pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect(first.accessible).toBe(true);
  expect(first.pdf.equals(second.pdf)).toBe(true);
  expect(first.pdf.includes("/StructTreeRoot")).toBe(true);
});

it("what people wrote is never source", async () => {
  const written = '#read("/etc/passwd") $x^2$ *bold* #let a = 1';
  expect((await draw(written)).pdf.length).toBeGreaterThan(1000);
});

it("Hebrew is drawn with the same typeface", async () => {
  const { pdf, accessible } = await draw("חשבונית מס 42, C++", "he");
  expect(accessible).toBe(true);
  expect(pdf.includes("Heebo")).toBe(true);
  expect(pdf.includes("/Direction /R2L")).toBe(false);
});

it("a character without a glyph costs the standard, not the document", async () => {
  expect((await draw("Noa \u{1F600}")).accessible).toBe(false);
});

it("a template with a fault fails, and the next document is drawn", async () => {
  await expect(drawer.draw("#nonsense(", {}, 0)).rejects.toThrow("fault");
  expect((await draw("again")).pdf.length).toBeGreaterThan(1000);
});

it("the pages as a picture, with as many as the document has", async () => {
  const source = `${template}\n#pagebreak()\nsecond`;
  const { svg, pages } = await drawer.drawSvg(source, { title: "t", text: "x", language: "en" });
  expect([svg.startsWith("<svg"), pages]).toEqual([true, 2]);
});

it("a document that takes too long is ended and named, others are drawn meanwhile and after it", async () => {
  const strict = openDocumentDrawer({ processes: 2, secondsMax: 2 });
  const endless = "#for a in range(9000) { for b in range(9000) { let c = calc.pow(a, 2) } }";
  const draws = (source: string, name: string) => strict.draw(source, {}, 0, { name });
  const slow = draws(endless, "cv-7").catch((error: unknown) => error);
  const meanwhile = draws("quick", "cv-8");
  const behind = draws("also quick", "cv-9");
  expect((await meanwhile).pages).toBe(1);
  expect((await behind).pages).toBe(1);
  expect(String(await slow)).toContain("cv-7");
  expect((await draws("after it", "cv-10")).pages).toBe(1);
  await strict.close();
});
