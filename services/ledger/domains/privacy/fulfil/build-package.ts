import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { signedLine, type SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { manifestPurpose, type PackageManifest } from "@pro-talent/schemas/privacy/data-package";
import type { HeldSection, HeldValue } from "@pro-talent/schemas/privacy/held-data";
import { makeZip } from "client-zip";
import { stringify } from "csv-stringify/sync";

import { packageTexts } from "./package-texts.ts";
import { type PackageContent, readablePage } from "./readable-page.ts";

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

/** Verifies packages and receipts without the product; each package brings it. */
const verifier = readFileSync(new URL("verify.mjs", import.meta.url));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

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

/** `content`: in parts, for what is not held in memory. */
type Part = { readonly path: string; readonly content: Uint8Array | AsyncIterable<Uint8Array> };

/**
 * A package of everything that is held about a person: a readable page, JSON, CSV, their files, and a
 * manifest of it all, signed (Ed25519). Nothing is kept in memory but the file that is being written.
 * @returns a ZIP archive (APPNOTE 6.3, with ZIP64 where it is needed), as it is made
 */
export function buildPackage(content: PackageContent, key: SigningKey): ReadableStream<Uint8Array> {
  const { requestId, madeAt } = content;
  const written: PackageManifest["files"] = [];
  async function* entries() {
    // The time of an entry says nothing more than the manifest, and has no zone.
    const lastModified = new Date(madeAt);
    for await (const { path, content: bytes } of partsOf(content))
      yield { name: path, lastModified, input: noted(written, path, bytes) };
    const manifest: PackageManifest = { requestId, madeAt, keyId: key.id, files: written };
    const input = signedLine(key, manifestPurpose, manifest);
    yield { name: "manifest.json", lastModified, input };
  }
  return makeZip(entries(), { buffersAreUTF8: true });
}

/** Passes a file on, and notes its length and hash when it ends. */
async function* noted(
  written: PackageManifest["files"],
  path: string,
  content: Part["content"],
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    hash.update(part);
    bytes += part.length;
    yield part;
  }
  written.push({ path, bytes, sha256: hash.digest("hex") });
}

async function* partsOf(content: PackageContent): AsyncGenerator<Part> {
  const { requestId, madeAt, language, sections, processing, receipts, tables } = content;
  yield { path: "data.json", content: json({ requestId, madeAt, sections }) };
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

const json = (value: unknown): Uint8Array => bytesOf(`${JSON.stringify(value, null, 2)}\n`);

const usedIn = (language: Locale, { name, purpose, basis, recipients }: Activity) => ({
  name: name[language],
  purpose: purpose[language],
  basis,
  recipients,
});
