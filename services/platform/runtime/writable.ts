import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { OperatorError } from "./operator-error.ts";

/** Errors of the system that a person can do something about (errno(3)). */
const reasons: Readonly<Record<string, string>> = {
  EROFS: "the disk is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOSPC: "the disk is full",
  EDQUOT: "the user's share of the disk is used up",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a file has this name",
  EIO: "the disk fails",
};
const fullCodes: readonly string[] = ["ENOSPC", "EDQUOT"];
/** More than a file system may keep within its own records. */
const probeBytes = 16 * 1024;

/** Nothing can be written into a directory that a setting names. */
export class Unwritable extends OperatorError {
  override readonly name = "Unwritable";
  /** What is there can be removed and shipped still. */
  readonly isFull: boolean;

  constructor(directory: string, setting: string, cause: unknown) {
    const code = codeOf(cause);
    const reason = reasons[code] ?? "the system refuses";
    const advice = fullCodes.includes(code) ? "Free some space" : "Make it writable";
    super(
      `Nothing can be written to ${directory}: ${reason} (${code}). ${advice}, or set ${setting} to another place.`,
      { cause },
    );
    this.isFull = fullCodes.includes(code);
  }
}

/**
 * Makes a directory if there is none, readable for its owner only, and writes and removes a small file
 * in it.
 * @param setting the variable that names it
 * @throws Unwritable
 */
export async function requireWritable(
  directory: string,
  setting: string,
  mode = 0o700,
): Promise<void> {
  const probe = join(directory, `.writable-${randomBytes(6).toString("hex")}`);
  try {
    await makeDirectory(resolve(directory), mode);
    await writeFile(probe, Buffer.alloc(probeBytes, 1), { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new Unwritable(directory, setting, error);
  } finally {
    // Where nothing can be written there is none.
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

async function makeDirectory(directory: string, mode: number): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode });
  } catch (error) {
    // Node reports a read-only disk as a missing directory here.
    let place = directory;
    while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
    await access(place, constants.W_OK);
    throw error;
  }
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error
    ? String(error.code)
    : "no code";
}
