import { PDFiumLibrary } from "@hyzyla/pdfium";
import mammoth from "mammoth";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

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

/** What each reader of the product gets from the files of a CV. */
export type ReadTexts = {
  readonly pdf: { readonly "pdf.js": string; readonly pdfium: string };
  readonly docx: { readonly mammoth: string };
};

/** What each reader of the product gets from a PDF. */
export async function readPdf(pdf: Uint8Array): Promise<ReadTexts["pdf"]> {
  return { "pdf.js": await readWithPdfJs(pdf), pdfium: await readWithPdfium(pdf) };
}

/** Reads the files of a CV as systems of employers do. */
export async function readFiles(pdf: Uint8Array, docx: Buffer): Promise<ReadTexts> {
  const { value } = await mammoth.extractRawText({ buffer: docx });
  return { pdf: await readPdf(pdf), docx: { mammoth: value } };
}
