import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { signedLine, type SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { PackageManifest } from "@pro-talent/schemas/privacy/data-package";
import { zipSync } from "fflate";

/** Verifies what is signed here without the product; each archive brings it. */
export const verifier = readFileSync(new URL("verify.mjs", import.meta.url));

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const json = (value: unknown): Uint8Array => bytesOf(`${JSON.stringify(value, null, 2)}\n`);

type Archive = {
  readonly requestId: string;
  readonly madeAt: Instant;
  readonly parts: readonly { readonly path: string; readonly bytes: Uint8Array }[];
};

/**
 * Files with a manifest of them all, signed (Ed25519).
 * @returns a ZIP archive (APPNOTE 6.3), at its largest a little more than the files
 */
export function signedArchive(
  key: SigningKey,
  purpose: string,
  { requestId, madeAt, parts }: Archive,
): Uint8Array {
  const manifest: PackageManifest = {
    requestId,
    madeAt,
    keyId: key.id,
    files: parts.map(({ path, bytes }) => ({
      path,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    })),
  };
  const signed = signedLine(key, purpose, manifest);
  const entries = [...parts, { path: "manifest.json", bytes: bytesOf(signed) }];
  // The time of an entry says nothing more than the manifest, and has no zone.
  return zipSync(Object.fromEntries(entries.map(({ path, bytes }) => [path, bytes])), {
    level: 6,
    mtime: new Date(madeAt),
  });
}
