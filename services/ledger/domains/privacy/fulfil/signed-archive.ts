import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { signedLine, type SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { PackageManifest } from "@pro-talent/schemas/privacy/data-package";
import type { Withheld } from "@pro-talent/schemas/privacy/redaction";
import { makeZip } from "client-zip";

/** Verifies what is signed here without the product; each archive brings it. */
export const verifier = readFileSync(new URL("verify.mjs", import.meta.url));

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const json = (value: unknown): Uint8Array => bytesOf(`${JSON.stringify(value, null, 2)}\n`);

/** `content`: in parts, for what is not held in memory. */
export type ArchivePart = {
  readonly path: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
};

type Archive = {
  readonly requestId: string;
  readonly madeAt: Instant;
  /** What was left out, if anything was. */
  readonly withheld?: readonly Withheld[];
  readonly parts: Iterable<ArchivePart> | AsyncIterable<ArchivePart>;
};

/**
 * Files with a manifest of them all, signed (Ed25519). Nothing is kept in memory but the file that is being
 * written.
 * @returns a ZIP archive (APPNOTE 6.3, with ZIP64 where it is needed), as it is made
 */
export function signedArchive(
  key: SigningKey,
  purpose: string,
  { requestId, madeAt, withheld, parts }: Archive,
): ReadableStream<Uint8Array> {
  const written: PackageManifest["files"] = [];
  async function* entries() {
    // The time of an entry says nothing more than the manifest, and has no zone.
    const lastModified = new Date(madeAt);
    for await (const { path, content } of parts)
      yield { name: path, lastModified, input: noted(written, path, content) };
    const manifest: PackageManifest = {
      requestId,
      madeAt,
      keyId: key.id,
      files: written,
      ...(withheld?.length && { withheld: [...withheld] }),
    };
    yield { name: "manifest.json", lastModified, input: signedLine(key, purpose, manifest) };
  }
  return makeZip(entries(), { buffersAreUTF8: true });
}

/** Passes a file on, and notes its length and hash when it ends. */
async function* noted(
  written: PackageManifest["files"],
  path: string,
  content: ArchivePart["content"],
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
