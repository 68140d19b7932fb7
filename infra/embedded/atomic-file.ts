import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

/**
 * Replaces a file as a whole, readable for its owner only: a reader sees the old or the new
 * content, never half of it.
 */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const partial = `${file}.${randomBytes(4).toString("hex")}.new`;
  try {
    await writeFile(partial, content, { mode: 0o600, flush: true });
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
