import { constants } from "node:fs";
import { chown, lstat, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { callbackify } from "node:util";

import { extract, type Header, type Pack } from "tar-stream";

type Owner = { readonly uid: number; readonly gid: number } | undefined;

/** The bytes of one entry. */
type Content = AsyncIterable<unknown> & { readonly resume: () => unknown };

const partBytes = 256 * 1024;

/**
 * Adds the files below `directory` while they are in use: one that vanished is left out, one that was
 * cut short is filled with zeros, one that grows is copied to the size it had. A write-ahead log or a
 * consumer that checks its records repairs what that leaves.
 * @param skip receives paths relative to `directory`, with `/`; a directory that is left out has no entry
 */
export async function packDirectory(
  pack: Pack,
  directory: string,
  skip: (path: string) => boolean = () => false,
): Promise<void> {
  const visit = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(noneIfMissing)) {
      const full = join(path, entry.name);
      const name = relative(directory, full).split(sep).join("/");
      if (skip(name)) continue;
      if (entry.isDirectory()) {
        await added(pack, { name, type: "directory", mode: 0o700 });
        await visit(full);
      } else if (entry.isFile()) await packFile(pack, full, name);
    }
  };
  await visit(directory);
}

/** Adds one file of known content. */
export async function packContent(pack: Pack, name: string, content: string): Promise<void> {
  await added(pack, { name, mode: 0o600 }, Buffer.from(content, "utf8"));
}

export async function packFile(pack: Pack, path: string, name: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY).catch(undefinedIfMissing);
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    const done = Promise.withResolvers<undefined>();
    const entry = pack.entry({ name, size, mode: 0o600 }, (error) =>
      error ? done.reject(error) : done.resolve(undefined),
    );
    await pipeline(Readable.from(partsOf(file, size)), entry);
    await done.promise;
  } finally {
    await file.close();
  }
}

async function* partsOf(file: Awaited<ReturnType<typeof open>>, size: number) {
  for (let at = 0; at < size;) {
    const part = Buffer.alloc(Math.min(partBytes, size - at));
    const { bytesRead } = await file.read(part, 0, part.length, at);
    // Beyond its end, a file that was cut short reads as zeros.
    const length = bytesRead === 0 ? part.length : bytesRead;
    yield part.subarray(0, length);
    at += length;
  }
}

async function added(
  pack: Pack,
  header: { name: string; type?: "directory"; mode: number },
  content = Buffer.alloc(0),
): Promise<void> {
  const done = Promise.withResolvers<undefined>();
  pack.entry(header, content, (error) => (error ? done.reject(error) : done.resolve(undefined)));
  await done.promise;
}

/** What writes a tar stream to `directory`, which is made. Paths cannot leave it. */
export function unpackInto(directory: string, owner?: Owner) {
  const unpack = extract();
  const own = async (path: string): Promise<void> => {
    if (owner !== undefined) await chown(path, owner.uid, owner.gid);
  };
  const write = async ({ name, type, mode }: Header, content: Content): Promise<void> => {
    const path = join(directory, name);
    if (!path.startsWith(directory + sep)) throw new Error("An archive names a path outside");
    if (type === "directory") {
      await mkdir(path, { recursive: true, mode });
      content.resume();
    } else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, "w", mode);
      await pipeline(content, file.createWriteStream({ flush: true }));
    }
    await own(path);
  };
  unpack.on("entry", callbackify(write));
  return unpack;
}

/** The bytes of regular files below a directory. */
export async function bytesBelow(directory: string): Promise<number> {
  let bytes = 0;
  const options = { recursive: true, withFileTypes: true } as const;
  for (const entry of await readdir(directory, options).catch(noneIfMissing)) {
    if (!entry.isFile()) continue;
    const found = await lstat(join(entry.parentPath, entry.name)).catch(undefinedIfMissing);
    bytes += found?.size ?? 0;
  }
  return bytes;
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

function noneIfMissing(error: unknown): [] {
  undefinedIfMissing(error);
  return [];
}
