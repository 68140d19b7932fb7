import type { CvDocument } from "@pro-talent/schemas/studio/document";

import { charactersWithoutGlyph } from "../faces.ts";
import { fieldsOf } from "../fields.ts";
import { readBytes } from "../import/read-bytes.ts";
import { outlineOf } from "../outline.ts";

type MadeFiles = { readonly document: CvDocument; readonly pdf: Buffer; readonly docx: Buffer };

/**
 * Reads the files of CVs again.
 * @returns what was recovered, by the template of a PDF or the name of another format, and the language
 */
export async function measureImport(made: readonly MadeFiles[]): Promise<Map<string, Recovered>> {
  const all = new Map<string, Recovered>();
  for (const { document, pdf, docx } of made) {
    const { template } = document.page;
    const files = [[`PDF, ${template}`, pdf, true] as const, ["DOCX", docx, false] as const];
    for (const [format, bytes, isPage] of files) {
      const name = `${format} ${document.language}`;
      const recovered: Recovered = all.get(name) ?? new Map();
      all.set(name, recovered);
      const read = await readBytes(bytes, "en");
      countRecovered(document, read.document, recovered, { isPage });
    }
  }
  return all;
}

/** How many fields of CVs were recovered, by the kind of field. */
export type Recovered = Map<string, { found: number; of: number }>;

/** Readers of pages divide long words and leave out marks of direction. */
const plain = (text: string): string =>
  text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .replaceAll(/\s+/g, "")
    .toLowerCase();

type Stated = { readonly name: string; readonly text: string };

/** The fields of a CV as `experience.title` and their text; characters without a glyph are no fields of a page. */
function statedIn(document: CvDocument, without: readonly string[]): Stated[] {
  const outline = outlineOf(document);
  const kinds = new Map(outline.sections.map(({ id, kind }) => [id, kind]));
  return fieldsOf(outline)
    .filter(({ text }) => !without.some((character) => text.includes(character)))
    .map(({ path, text }) => {
      const [root = "", id = "", ...rest] = path.split(".");
      const field = rest.at(1) ?? "name";
      const name = root === "profile" ? `profile.${id}` : `${kinds.get(id) ?? ""}.${field}`;
      return { name, text: plain(text) };
    });
}

/**
 * Counts the fields of a CV that are in the document that was read from its file, in the same kind of section and
 * field and with the same text.
 * @param isPage characters without a glyph are not in a page
 */
export function countRecovered(
  document: CvDocument,
  read: CvDocument | undefined,
  recovered: Recovered,
  { isPage = true } = {},
): readonly Stated[] {
  const missing = isPage ? charactersWithoutGlyph(outlineOf(document), document.page.fonts) : [];
  const left = new Map<string, number>();
  for (const { name, text } of read === undefined ? [] : statedIn(read, []))
    left.set(`${name} ${text}`, (left.get(`${name} ${text}`) ?? 0) + 1);
  return statedIn(document, missing).filter(({ name, text }) => {
    const key = `${name} ${text}`;
    const isFound = (left.get(key) ?? 0) > 0;
    left.set(key, (left.get(key) ?? 0) - 1);
    const count = recovered.get(name) ?? { found: 0, of: 0 };
    recovered.set(name, { found: count.found + (isFound ? 1 : 0), of: count.of + 1 });
    return !isFound;
  });
}

/** The share of all fields that were recovered, from 0 to 1. */
export function shareOf(recovered: Recovered): number {
  const counts = [...recovered.values()];
  const sum = (key: "found" | "of"): number =>
    counts.reduce((total, count) => total + count[key], 0);
  return sum("of") === 0 ? 1 : sum("found") / sum("of");
}
