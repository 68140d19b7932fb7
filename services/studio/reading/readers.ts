import { PDFiumLibrary } from "@hyzyla/pdfium";
import mammoth from "mammoth";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** Programs of the product that read text from a file, as systems of employers do. */
export const pdfReaders = ["pdf.js", "pdfium"] as const;

/** The text of a PDF as pdf.js gives it, in the order of the file. */
async function readWithPdfJs(pdf: Uint8Array): Promise<string> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, useSystemFonts: false });
  const document = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const texts = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""));
    pages.push(texts.join(""));
  }
  await task.destroy();
  return pages.join("\n\f");
}

let pdfium: Promise<PDFiumLibrary> | undefined;

/** The text of a PDF as PDFium gives it, which is Chrome's reader. */
async function readWithPdfium(pdf: Uint8Array): Promise<string> {
  pdfium ??= PDFiumLibrary.init();
  const document = await (await pdfium).loadDocument(pdf);
  try {
    return [...document.pages()].map((page) => page.getText()).join("\n\f");
  } finally {
    document.destroy();
  }
}

/** What each reader of the product gets from a PDF. */
export async function readPdf(
  pdf: Uint8Array,
): Promise<Record<(typeof pdfReaders)[number], string>> {
  return { "pdf.js": await readWithPdfJs(pdf), pdfium: await readWithPdfium(pdf) };
}

/** The text of a DOCX. */
export async function readDocx(docx: Buffer): Promise<string> {
  return (await mammoth.extractRawText({ buffer: docx })).value;
}
