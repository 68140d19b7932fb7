import { randomBytes, randomUUID } from "node:crypto";

import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { z } from "zod";

import type { Sealed } from "../../../kernel/append.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { readSealed } from "../../../kernel/streams.ts";
import { requester } from "../own-requests.ts";
import { privacyEvents } from "../requests.ts";

/** Sealed with `PackageSealed`: without it the stored file is noise. */
const PackageKey = z.object({ file: z.string(), key: z.base64() });

const folder = "packages";
/** Each attempt has a file of its own, so that none ever replaces one that was recorded. */
const nameOf = (requestId: string): string => `${folder}/${requestId}-${randomUUID()}`;

/**
 * Stores a package, encrypted under a key of its own.
 * @returns what is sealed with the event that names the package
 */
export async function storePackage(
  { subjects }: Pick<LedgerContext, "subjects">,
  files: FileStore,
  { requestId, email, content }: { requestId: string; email: string; content: Uint8Array },
): Promise<Sealed> {
  const [file, key] = [nameOf(requestId), randomBytes(32)];
  await files.write(file, seal(key, content, requestId));
  const subject = await subjects.ofOccasion(requester, requestId, email);
  return subject.seal({ file, key: key.toString("base64") });
}

/** @returns undefined when there is none, or none any more */
export async function readPackage(
  { ledger, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  files: FileStore,
  requestId: string,
): Promise<Buffer | undefined> {
  const sealed = await readSealed(ledger.sql, privacyEvents.streamOf(requestId), "PackageSealed");
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  if (sealed === undefined || subject === undefined) return undefined;
  try {
    const { file, key } = subject.open(sealed.bytes, PackageKey);
    const stored = await files.read(file);
    return stored && unseal(Buffer.from(key, "base64"), stored, requestId);
  } catch (error) {
    // Its key was destroyed in between.
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** Removes the packages of a request, also those of attempts that were never recorded. @returns how many */
export async function removePackages(files: FileStore, requestId: string): Promise<number> {
  let removed = 0;
  for await (const { name } of files.list(folder)) {
    if (!name.startsWith(`${folder}/${requestId}-`)) continue;
    await files.remove(name);
    removed += 1;
  }
  return removed;
}
