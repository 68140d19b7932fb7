import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { z } from "zod";

/** The files of a package by their path. */
export type Unpacked = Readonly<Record<string, Uint8Array>>;

/** What a browser saves when this is pressed, unpacked. */
export async function downloaded(page: Page, press: () => Promise<void>): Promise<Unpacked> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return unzipSync(await readFile(await download.path()));
}

const Keys = z.object({ keys: z.array(z.string()).min(1) });

/**
 * Lets the program in a package verify it, with the key that the site publishes: what it prints.
 * @throws when it names faults
 */
export async function verifyPackage(files: Unpacked, origin: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "package-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
    }
    const answer: unknown = await (await fetch(`${origin}/api/privacy/keys`)).json();
    const [key = ""] = Keys.parse(answer).keys;
    const args = [join(directory, "verify.mjs"), join(directory, "manifest.json"), key];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
