import { randomBytes, randomUUID } from "node:crypto";

import { seal, unseal } from "@pro-talent/platform/crypto/seal";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { removeOrphans } from "@pro-talent/platform/files/remove-orphans";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { LinkFile } from "@pro-talent/schemas/links/events";
import { linkLimits } from "@pro-talent/schemas/links/limits";

import { checkFile, type FileFault } from "./file-check.ts";
import { usedFiles } from "./read-models.ts";

const folder = "links";
const nameOf = (fileId: string): string => `${folder}/${fileId}`;

export type Upload = { readonly name: string; readonly content: Buffer };

/**
 * Stores a file, encrypted under a key of its own that only the sealed details of its link hold: without
 * them it is noise.
 */
export async function storeFile(
  files: FileStore,
  { name, content }: Upload,
): Promise<{ readonly file: LinkFile } | { readonly fault: FileFault | "file_too_large" }> {
  if (content.length > linkLimits.fileBytesMax) return { fault: "file_too_large" };
  const checked = checkFile(content);
  if ("fault" in checked) return checked;
  const fileId = randomUUID();
  const key = randomBytes(32);
  await files.write(nameOf(fileId), seal(key, content, fileId));
  const { kind } = checked;
  return { file: { fileId, name, kind, bytes: content.length, key: key.toString("base64") } };
}

/** @returns undefined when it was removed @throws SealBroken when it was changed */
export async function readFileOf(
  files: FileStore,
  { fileId, key }: LinkFile,
): Promise<Buffer | undefined> {
  const sealed = await files.read(nameOf(fileId));
  return sealed && unseal(Buffer.from(key, "base64"), sealed, fileId);
}

export const removeFile = (files: FileStore, fileId: string): Promise<void> =>
  files.remove(nameOf(fileId));

/** Removes files that no link names. */
export const removeUnnamed = (sql: Queryable, files: FileStore, nowMs: number): Promise<void> =>
  removeOrphans(files, folder, (fileIds) => usedFiles(sql, fileIds), nowMs);
