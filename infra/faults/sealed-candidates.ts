import { createDecipheriv, createHash, createSecretKey, type KeyObject } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/**
 * What may be sealed bytes (see `seal.ts`: version ‖ nonce ‖ tag ‖ ciphertext), found anywhere in raw
 * data by its form alone: as it is, as hexadecimal text or as base64.
 */
export type Candidates = {
  /** The first bytes of each, and the places that hold it. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
  /** Places that hold one of the given texts in the clear. */
  readonly inTheClear: ReadonlySet<string>;
  readonly files: number;
  readonly bytes: number;
};

const version = 1;
const headBytes = 1 + 12 + 16;
const keyBytes = 32;
/** A wrapped key is seen whole, of longer texts enough to recognise them. */
const shortest = headBytes + keyBytes;
const kept = headBytes + 200;
/** Sixty random bytes have fewer different values about once in 10^8 times. */
const differentMin = 40;
/** Neighbouring pieces overlap by more than the text form of what is kept. */
const pieceBytes = 8 * 1024 * 1024;
const overlapBytes = 1024;

/** What was found in a file, by the digest of its content: most files of a cluster do not change. */
export type KnownContents = Map<string, ReadonlySet<string>>;

/**
 * Collects the candidates in every file below the directories, and where one of the texts is readable.
 * @param known remembers contents from one search to the next
 */
export async function collectCandidates(
  directories: readonly string[],
  texts: readonly string[],
  known: KnownContents = new Map(),
): Promise<Candidates> {
  const places = new Map<string, Set<string>>();
  const inTheClear = new Set<string>();
  let files = 0;
  let bytes = 0;
  for (const directory of directories) {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      // A running server removes files.
      const data = await readFile(path).catch(() => Buffer.alloc(0));
      files += 1;
      bytes += data.length;
      const place = placeOf(directory, relative(directory, path));
      if (texts.some((text) => data.includes(text))) inTheClear.add(place);
      const digest = createHash("sha256").update(data).digest("hex");
      const candidates = known.get(digest) ?? candidatesIn(data, place.endsWith("pg_wal"));
      known.set(digest, candidates);
      for (const found of candidates) {
        const where = places.get(found) ?? new Set();
        places.set(found, where.add(place));
      }
    }
  }
  return { places, inTheClear, files, bytes };
}

/** The candidates of several searches as one. */
export function joinCandidates(...all: readonly Candidates[]): Candidates {
  const places = new Map<string, Set<string>>();
  for (const [text, where] of all.flatMap((one) => [...one.places])) {
    places.set(text, new Set([...(places.get(text) ?? []), ...where]));
  }
  return {
    places,
    inTheClear: new Set(all.flatMap((one) => [...one.inTheClear])),
    files: all.reduce((sum, { files }) => sum + files, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** `<directory>/<part of it>`, such as `physical/pg_wal`. */
function placeOf(directory: string, path: string): string {
  const name = directory.split("/").at(-1) ?? "";
  return path.includes("/") ? `${name}/${path.split("/")[0]}` : name;
}

/** By character code, whether a text form has it. */
const charactersOf = (form: RegExp): readonly boolean[] =>
  Array.from({ length: 256 }, (_, code) => form.test(String.fromCodePoint(code)));
const hexadecimal = charactersOf(/[0-9A-Fa-f]/);
const base64 = charactersOf(/[A-Za-z0-9+/_-]/);

/** Whole runs of these characters, of a length at least. Most bytes of binary data are not looked at. */
function* runsOf(
  characters: readonly boolean[],
  least: number,
  data: Buffer,
): Generator<string, undefined> {
  for (let from = 0; from + least <= data.length;) {
    let last = from + least - 1;
    while (last >= from && characters[data[last] ?? 0] === true) last -= 1;
    let end = from + least;
    if (last < from) {
      while (end < data.length && characters[data[end] ?? 0] === true) end += 1;
      yield data.toString("latin1", from, end);
    }
    // A run of that length cannot hold a character that is none of these.
    from = last < from ? end : last + 1;
  }
}

const zeros = Buffer.alloc(8192);

/** Without the zeros at its end, which are most of a segment of the log. */
function withoutFilling(data: Buffer): Buffer {
  let end = data.length;
  while (end >= zeros.length && zeros.equals(data.subarray(end - zeros.length, end)))
    end -= zeros.length;
  return data.subarray(0, end);
}

/** The candidates in a piece of data, as latin1 texts. @param isLog pages of a write-ahead log */
export function candidatesIn(file: Buffer, isLog = false): Set<string> {
  const data = withoutFilling(file);
  const found = new Set<string>();
  for (const whole of isLog ? [data, withoutPageHeaders(data)] : [data]) {
    for (let at = 0; at < whole.length; at += pieceBytes) {
      const piece = whole.subarray(at, at + pieceBytes + overlapBytes);
      addRaw(piece, found);
      for (const text of runsOf(hexadecimal, 2 * shortest, piece)) {
        for (const shift of [0, 1]) addRaw(Buffer.from(text.slice(shift), "hex"), found);
      }
      for (const text of runsOf(base64, Math.ceil((4 * shortest) / 3), piece)) {
        for (const shift of [0, 1, 2, 3]) addRaw(Buffer.from(text.slice(shift), "base64"), found);
      }
    }
  }
  return found;
}

const lastSeen = new Uint32Array(256);
let round = 0;

function addRaw(data: Buffer, found: Set<string>): void {
  for (let at = data.indexOf(version); at !== -1; at = data.indexOf(version, at + 1)) {
    if (at + shortest > data.length) return;
    if (looksRandom(data, at + 1)) found.add(data.toString("latin1", at, at + kept));
  }
}

function looksRandom(data: Buffer, from: number): boolean {
  round += 1;
  let repeated = 0;
  for (let at = from; at < from + shortest - 1; at += 1) {
    const value = data[at] ?? 0;
    if (lastSeen[value] === round) {
      repeated += 1;
      if (repeated > shortest - 1 - differentMin) return false;
    }
    lastSeen[value] = round;
  }
  return true;
}

/** A record may go on behind the header of the next page (PostgreSQL, `access/xlog_internal.h`). */
function withoutPageHeaders(segment: Buffer): Buffer {
  const pageBytes = 8192;
  const [longHeader, header] = [40, 24];
  const pages: Buffer[] = [];
  for (let at = 0; at < segment.length; at += pageBytes) {
    pages.push(segment.subarray(at + (at === 0 ? longHeader : header), at + pageBytes));
  }
  return Buffer.concat(pages);
}

/** What was opened: the beginning of a text, and the places that hold its ciphertext and its key. */
export type Opened = { readonly text: string; readonly places: ReadonlySet<string> };

/** The candidates that were tried with each key, with the keys of subjects (hexadecimal) that they held. */
export type KnownKeys = Map<string, Map<string, readonly string[]>>;

/**
 * Tries every candidate with every key: first as a wrapped key of one of the subjects, then with what
 * that gave as the beginning of a JSON text.
 * @param ids of data subjects, since sealed bytes are bound to them
 * @param known remembers attempts from one search for these subjects to the next
 */
export function openCandidates(
  { places }: Pick<Candidates, "places">,
  keys: readonly Buffer[],
  ids: readonly string[],
  known: KnownKeys = new Map(),
): readonly Opened[] {
  const subjectKeys = new Map<string, ReadonlySet<string>>();
  for (const bytes of keys) {
    const name = bytes.toString("hex");
    const tried = known.get(name) ?? new Map<string, readonly string[]>();
    known.set(name, tried);
    const key = createSecretKey(bytes);
    for (const [text, where] of places) {
      const held = tried.get(text) ?? openKeys(key, Buffer.from(text, "latin1"), ids);
      tried.set(text, held);
      for (const subjectKey of held)
        subjectKeys.set(subjectKey, new Set([...(subjectKeys.get(subjectKey) ?? []), ...where]));
    }
  }
  const opened: Opened[] = [];
  for (const [hex, keyPlaces] of subjectKeys) {
    const key = createSecretKey(hex, "hex");
    for (const [text, where] of places) {
      const begin = beginning(key, Buffer.from(text, "latin1"));
      // The first name of a JSON text; values may be in any script.
      if (/^\{"[A-Za-z]{2,30}":/u.test(begin))
        opened.push({ text: begin, places: new Set([...where, ...keyPlaces]) });
    }
  }
  return opened;
}

const nothing: readonly string[] = [];

/** The keys of these subjects that a candidate holds under a key. */
function openKeys(key: KeyObject, bytes: Buffer, ids: readonly string[]): readonly string[] {
  const held = ids.flatMap((id) => openKey(key, bytes, id)?.toString("hex") ?? []);
  return held.length === 0 ? nothing : held;
}

function openKey(key: KeyObject, bytes: Buffer, id: string): Buffer | undefined {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, 13), {
    authTagLength: 16,
  });
  decipher.setAAD(Buffer.concat([Buffer.of(version), Buffer.from(id, "utf8")]));
  decipher.setAuthTag(bytes.subarray(13, headBytes));
  const plain = decipher.update(bytes.subarray(headBytes, shortest));
  try {
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
}

/** Without the tag, which covers the whole text: its end is not known, and may be elsewhere. */
function beginning(key: KeyObject, bytes: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, 13), {
    authTagLength: 16,
  });
  return decipher.update(bytes.subarray(headBytes)).toString("latin1");
}
