import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { importSources } from "@pro-talent/schemas/studio/calls";

import { documentFromLines } from "./document-from-lines.ts";
import type { Finding } from "./findings.ts";
import { importJsonResume, type Imported } from "./json-resume.ts";
import { textOf, type Line } from "./lines.ts";
import { importLinkedIn, isLinkedIn, unpackedTables } from "./linkedin.ts";
import { namesIn, type Unpacked, unpacked } from "./unpack.ts";

/** A document that was read from a file, and what could not be taken over as it was. */
export type ImportedFile = Imported & { readonly source: (typeof importSources)[number] };

const zipHead = Buffer.from("PK", "latin1");
/** Readers look for the head of a PDF in its first kilobyte. */
const headBytes = 1024;

/**
 * Reads a CV from the bytes of a file, which is recognised by its content.
 * @throws when it is none that a CV can be read from
 */
export async function readBytes(content: Buffer, language: Locale): Promise<ImportedFile> {
  if (content.subarray(0, headBytes).includes("%PDF-")) return readPdf(content, language);
  if (content.subarray(0, 2).equals(zipHead)) return readArchive(content, language);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  return { source: "json-resume", ...importJsonResume(JSON.parse(text), language) };
}

async function readArchive(content: Buffer, language: Locale): Promise<ImportedFile> {
  const names = namesIn(content);
  if (names.includes("word/document.xml")) {
    const files = unpacked(
      content,
      (name) => name === "[Content_Types].xml" || /\.(?:xml|rels)$/.test(name),
    );
    const { linesOfDocx } = await import("./docx.ts");
    return { source: "docx", ...stated(await linesOfDocx(withoutDefinitions(files)), language) };
  }
  if (!isLinkedIn(names)) throw new Error("An archive of something else");
  return { source: "linkedin", ...importLinkedIn(unpackedTables(content), language) };
}

/** Definitions of entities can grow without bound; no word processor writes them. */
function withoutDefinitions(files: Unpacked): Unpacked {
  for (const content of Object.values(files))
    if (Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes("<!DOCTYPE"))
      throw new Error("XML with definitions");
  return files;
}

async function readPdf(content: Buffer, language: Locale): Promise<ImportedFile> {
  // Each reader is loaded for its own files alone: a process reads one file.
  const [{ linesOfPdf }, { pagesOfPdf }] = await Promise.all([
    import("./pdf.ts"),
    import("./pdf-pieces.ts"),
  ]);
  const { pages, isCut } = await pagesOfPdf(content);
  const { document, findings } = stated(linesOfPdf(pages), language);
  const cut: Finding[] = isCut
    ? [{ path: `page ${pages.length + 1}`, code: "too-many", text: "" }]
    : [];
  return { source: "pdf", document, findings: [...findings, ...cut] };
}

/** @throws when there is no text, as in a scanned page */
function stated(lines: readonly Line[], language: Locale): Imported {
  if (!lines.some((line) => /\p{L}/u.test(textOf(line)))) throw new Error("A file without text");
  return documentFromLines(lines, language);
}
