import { execFile } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { z } from "zod";

const run = promisify(execFile);

/** Writes the files of an archive into a new folder. @returns the folder */
export async function unpacked(parts: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "unpacked-"));
  for (const [path, bytes] of Object.entries(parts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}

const verifier = join(import.meta.dirname, "../fulfil/verify.mjs");

/** What the verifier says of a file, as a person runs it: without the product. */
export const verifyOffline = (file: string, keyId: string, program = verifier): Promise<string> =>
  run(process.execPath, [program, file, keyId]).then(
    ({ stdout }) => stdout,
    (error: unknown) => z.object({ stderr: z.string() }).parse(error).stderr,
  );
