import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { manifestPurpose } from "@pro-talent/schemas/privacy/data-package";
import type { HeldSection, HeldValue } from "@pro-talent/schemas/privacy/held-data";
import { stringify } from "csv-stringify/sync";

import { packageTexts } from "./package-texts.ts";
import { type PackageContent, readablePage } from "./readable-page.ts";
import { type ArchivePart, bytesOf, json, signedArchive, verifier } from "./signed-archive.ts";

/** A value as text. The word stays as it is stored: programs read it. */
const cellOf = (value: HeldValue): string => {
  if ("text" in value) return value.text;
  if ("word" in value) return value.word;
  if ("count" in value) return String(value.count);
  return "at" in value ? value.at : "";
};

/** RFC 4180, with the mark by which Excel reads UTF-8; nothing that a spreadsheet would compute. */
function csvOf({ records }: HeldSection): Uint8Array {
  const columns = [...new Set(records.flatMap((record) => record.map(({ field }) => field)))];
  const rows = records.map((record) =>
    columns.map((column) =>
      record
        .filter(({ field }) => field === column)
        .map(cellOf)
        .join("; "),
    ),
  );
  const options = { bom: true, record_delimiter: "windows", escape_formulas: true } as const;
  return bytesOf(stringify([columns, ...rows], options));
}

/**
 * The name of a file within a package: never a path, never hidden, distinguished by its number. Directions
 * that would show another ending than the one that counts are left out (Unicode TR 36, §2.10).
 */
export function nameWithin(name: string, number: number): string {
  const plain = name
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, "_")
    .replace(/^[.\s]+/u, "")
    .slice(-100);
  return `files/${String(number).padStart(3, "0")} ${plain === "" ? "file" : plain}`;
}

/**
 * A package of everything that is held about a person: a readable page, JSON, CSV, their files, and a
 * manifest of it all, signed.
 * @returns a ZIP archive, as it is made
 */
export function buildPackage(content: PackageContent, key: SigningKey): ReadableStream<Uint8Array> {
  const { requestId, madeAt, withheld } = content;
  const parts = partsOf(content);
  return signedArchive(key, manifestPurpose, { requestId, madeAt, withheld, parts });
}

async function* partsOf(content: PackageContent): AsyncGenerator<ArchivePart> {
  const { requestId, madeAt, language, sections, processing, receipts, tables } = content;
  const left = content.withheld.length === 0 ? {} : { withheld: content.withheld };
  yield { path: "data.json", content: json({ requestId, madeAt, sections, ...left }) };
  yield {
    path: "processing.json",
    content: json(processing.map((use) => usedIn(language, use))),
  };
  for (const section of sections)
    yield { path: `csv/${section.section}.csv`, content: csvOf(section) };
  yield* tables;
  for (const [index, receipt] of receipts.entries())
    yield { path: `receipts/consent-${index + 1}.json`, content: bytesOf(receipt) };
  const files: { path: string }[] = [];
  for await (const { name, content: bytes } of content.files) {
    const path = nameWithin(name, files.length + 1);
    files.push({ path });
    yield { path, content: bytes };
  }
  yield { path: "index.html", content: bytesOf(readablePage(content, files)) };
  yield { path: "verify.mjs", content: verifier };
  yield {
    path: "VERIFY.txt",
    content: bytesOf(packageTexts[language].verify.join("\n\n")),
  };
}

const usedIn = (language: Locale, { name, purpose, basis, recipients }: Activity) => ({
  name: name[language],
  purpose: purpose[language],
  basis,
  recipients,
});
