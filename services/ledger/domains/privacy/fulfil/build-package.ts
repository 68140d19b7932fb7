import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { manifestPurpose } from "@pro-talent/schemas/privacy/data-package";
import type { HeldSection, HeldValue } from "@pro-talent/schemas/privacy/held-data";
import { stringify } from "csv-stringify/sync";

import { packageTexts } from "./package-texts.ts";
import { type PackageContent, readablePage } from "./readable-page.ts";
import { bytesOf, json, signedArchive, verifier } from "./signed-archive.ts";

/** A value as text. The word stays as it is stored: programs read it. */
const cellOf = (value: HeldValue): string => {
  if ("text" in value) return value.text;
  if ("word" in value) return value.word;
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
 * manifest of it all, signed (Ed25519).
 * @returns a ZIP archive (APPNOTE 6.3), at its largest a little more than the files
 */
export function buildPackage(content: PackageContent, key: SigningKey): Uint8Array {
  const { requestId, madeAt, language, sections, processing, receipts, files } = content;
  const uploaded = files.map(({ name, content: bytes }, index) => ({
    path: nameWithin(name, index + 1),
    bytes,
  }));
  const parts = [
    { path: "index.html", bytes: bytesOf(readablePage(content, uploaded)) },
    { path: "data.json", bytes: json({ requestId, madeAt, sections }) },
    { path: "processing.json", bytes: json(processing.map((use) => usedIn(language, use))) },
    ...sections.map((section) => ({ path: `csv/${section.section}.csv`, bytes: csvOf(section) })),
    ...receipts.map((receipt, index) => ({
      path: `receipts/consent-${index + 1}.json`,
      bytes: bytesOf(receipt),
    })),
    ...uploaded,
    { path: "verify.mjs", bytes: verifier },
    { path: "VERIFY.txt", bytes: bytesOf(packageTexts[language].verify.join("\n\n")) },
  ];
  return signedArchive(key, manifestPurpose, { requestId, madeAt, parts });
}

const usedIn = (language: Locale, { name, purpose, basis, recipients }: Activity) => ({
  name: name[language],
  purpose: purpose[language],
  basis,
  recipients,
});
