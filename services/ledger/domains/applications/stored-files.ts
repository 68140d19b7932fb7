import { randomBytes } from "node:crypto";

import { seal, unseal } from "@pro-talent/platform/crypto/seal";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { removeOrphans } from "@pro-talent/platform/files/remove-orphans";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { SealedFile } from "@pro-talent/schemas/applications/events";

import { usedFiles } from "./read-models.ts";

const folder = "applications";
const nameOf = (fileId: string): string => `${folder}/${fileId}`;

/**
 * Stores a file, encrypted under a key of its own that only the sealed part of its application holds:
 * without it, it is noise. What is in it is never read, only handed back to its owner.
 */
export async function storeFile(
  files: FileStore,
  fileId: string,
  { name, content }: { readonly name: string; readonly content: Buffer },
): Promise<SealedFile> {
  const key = randomBytes(32);
  await files.write(nameOf(fileId), seal(key, content, fileId));
  return { name, bytes: content.length, key: key.toString("base64") };
}

/** @returns undefined when it was removed @throws SealBroken when it was changed */
export async function readFileOf(
  files: FileStore,
  fileId: string,
  { key }: SealedFile,
): Promise<Buffer | undefined> {
  const sealed = await files.read(nameOf(fileId));
  return sealed && unseal(Buffer.from(key, "base64"), sealed, fileId);
}

export const removeFile = (files: FileStore, fileId: string): Promise<void> =>
  files.remove(nameOf(fileId));

/** Removes files that no application has. */
export const removeUnnamed = (sql: Queryable, files: FileStore, nowMs: number): Promise<void> =>
  removeOrphans(files, folder, (fileIds) => usedFiles(sql, fileIds), nowMs);
