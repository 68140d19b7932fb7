import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import { openStream, sealStream } from "@pro-talent/platform/crypto/sealed-stream";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { z } from "zod";

import type { Sealed } from "../../../kernel/append.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { readSealed } from "../../../kernel/streams.ts";
import { requester } from "../../../restriction.ts";
import { privacyEvents } from "../requests.ts";

/** Sealed with the event that names a package: without it the stored files are noise. */
const PackageKey = z.object({
  file: z.string(),
  key: z.base64(),
  /** Files that it is stored in, numbered from 1; one without a number by earlier releases. */
  parts: z.int().positive().optional(),
});

const folder = "packages";
/** Each attempt has a file of its own, so that none ever replaces one that was recorded. */
const nameOf = (requestId: string): string => `${folder}/${requestId}-${randomUUID()}`;

/** What is in memory of a package while it is written or read. */
const partBytes = 8 * 1024 * 1024;

type Content = {
  readonly requestId: string;
  readonly email: string;
  readonly content: AsyncIterable<Uint8Array>;
};
type StoredContent = { readonly sealed: Sealed; readonly sha256: string };

/**
 * Stores a package, encrypted as it arrives under a key of its own, in parts of some megabytes: however
 * large it is, little of it is in memory.
 * @returns what is sealed with the event that names the package, and the SHA-256 of the package
 */
export const storePackage = async (
  { subjects }: Pick<LedgerContext, "subjects">,
  files: FileStore,
  content: Content,
): Promise<StoredContent> =>
  await storeEncrypted(subjects, content, {
    file: nameOf(content.requestId),
    write: (name, part) => files.write(name, part),
  });

/** Encrypts what arrives under a key of its own, which is sealed under the key of the request. */
export async function storeEncrypted(
  subjects: LedgerContext["subjects"],
  { requestId, email, content }: Content,
  { file, write }: { readonly file: string; readonly write: FileStore["write"] },
): Promise<StoredContent> {
  const key = randomBytes(32);
  const hash = createHash("sha256");
  const hashed = async function* hashedParts() {
    for await (const part of content) {
      hash.update(part);
      yield part;
    }
  };
  let parts = 0;
  await pipeline(hashed, sealStream(key), async (encrypted: AsyncIterable<Buffer>) => {
    for await (const part of inParts(encrypted)) {
      parts += 1;
      await write(`${file}-${parts}`, part);
    }
  });
  const subject = await subjects.ofOccasion(requester, requestId, email);
  const sealed = subject.seal({ file, key: key.toString("base64"), parts });
  return { sealed, sha256: hash.digest("hex") };
}

async function* inParts(encrypted: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of encrypted) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    yield Buffer.concat(held);
    [held, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** @returns undefined when there is none, or none any more */
export const readPackage = async (
  context: Pick<LedgerContext, "ledger" | "subjects">,
  files: FileStore,
  requestId: string,
): Promise<Readable | Buffer | undefined> =>
  await readEncrypted(context, files, { requestId, type: "PackageSealed" });

/** What {@link storeEncrypted} stored, as the newest event of that type names it. */
export async function readEncrypted(
  { ledger, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  files: FileStore,
  { requestId, type }: { readonly requestId: string; readonly type: PrivacyEvent["type"] },
): Promise<Readable | Buffer | undefined> {
  const sealed = await readSealed(ledger.sql, privacyEvents.streamOf(requestId), type);
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  if (sealed === undefined || subject === undefined) return undefined;
  try {
    const { file, key: text, parts } = subject.open(sealed.bytes, PackageKey);
    const key = Buffer.from(text, "base64");
    const first = await files.read(parts === undefined ? file : `${file}-1`);
    if (first === undefined) return undefined;
    if (parts === undefined) return unseal(key, first, requestId);
    const source = Readable.from(partsOf(files, { file, parts, first }));
    const plain = openStream(key, "A package");
    source.once("error", (error) => plain.destroy(error));
    return source.pipe(plain);
  } catch (error) {
    // Its key was destroyed in between.
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

type Stored = { readonly file: string; readonly parts: number; readonly first: Buffer };

async function* partsOf(files: FileStore, { file, parts, first }: Stored): AsyncGenerator<Buffer> {
  yield first;
  for (let number = 2; number <= parts; number += 1) {
    const part = await files.read(`${file}-${number}`);
    if (part === undefined) throw new Error("A part of a package is missing");
    yield part;
  }
}

/** Removes the packages of a request, also those of attempts that were never recorded. */
export const removePackages = (files: FileStore, requestId: string): Promise<void> =>
  removeNamed(files, folder, requestId);

/** Removes the files of a folder that are named after a request. */
export async function removeNamed(
  files: FileStore,
  from: string,
  requestId: string,
): Promise<void> {
  for await (const { name } of files.list(from))
    if (name.startsWith(`${from}/${requestId}-`)) await files.remove(name);
}
