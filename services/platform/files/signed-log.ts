import { createHash } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as immediate, setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import {
  openSignedLine,
  SignatureBroken,
  signedLine,
  type SigningKey,
} from "../crypto/signed-text.ts";
import { type Lock, LockHeld, takeLock } from "../runtime/file-lock.ts";
import { isMissing } from "./is-missing.ts";

/** One line: its entry, and the SHA-256 of its bytes, which the line after it holds. */
export type LogLine<Entry> = {
  readonly number: number;
  readonly record: Entry;
  /** As it stands in the file, with its signature. */
  readonly text: string;
  readonly sha256: string;
};

/** How far a log reaches, as others record it: a log that was cut since is shorter, or another one. */
export const LogEnd = z.strictObject({ lines: z.int().nonnegative(), sha256: z.hex().length(64) });
export type LogEnd = z.infer<typeof LogEnd>;

/**
 * A file that is only added to: one signed line each, with the number of the line and the SHA-256 of
 * the line before, so that a missing, moved or changed line is found. That the last lines were cut off is
 * found by comparing with a {@link LogEnd} that was recorded elsewhere.
 */
export type SignedLog<Entry> = {
  /** All entries, the oldest first; none without a file. @throws SignatureBroken naming the line */
  readonly read: () => Promise<readonly Entry[]>;
  /** As {@link SignedLog.read}, with the hash of each line. */
  readonly lines: () => Promise<readonly LogLine<Entry>[]>;
  /**
   * On disk once it resolves; processes of one machine exclude each other. Lines that this process has
   * read before are not read again. @throws SignatureBroken when the rest is damaged
   */
  readonly append: (entry: Entry) => Promise<LogLine<Entry>>;
};

const noLine = "0".repeat(64);
/** Some milliseconds of work. */
const linesPerTurn = 50;
const lockWaitMs = 20;
const lockAttemptsMax = 500;

/** What of the file is known: whole lines up to a byte, and the last of them. */
type Known = { readonly bytes: number; readonly lines: number; readonly sha256: string };
const nothingKnown: Known = { bytes: 0, lines: 0, sha256: noLine };

export function openSignedLog<Contract extends z.ZodType>(
  file: string,
  { key, purpose, contract }: { key: SigningKey; purpose: string; contract: Contract },
): SignedLog<z.infer<Contract>> {
  const shape = z.strictObject({
    number: z.int().positive(),
    previous: z.string(),
    record: z.unknown(),
  });
  const readFrom = async (known: Known) => {
    const text = await textFrom(file, known.bytes);
    // What a crash left of a line was never acknowledged.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    let { sha256 } = known;
    const lines: LogLine<z.infer<Contract>>[] = [];
    for (const one of whole.split("\n").slice(0, -1)) {
      // A long log must not keep the process from everything else.
      if (lines.length % linesPerTurn === linesPerTurn - 1) await immediate();
      const number = known.lines + lines.length + 1;
      const where = `line ${number} of ${purpose}`;
      const entry = openedAt(where, () =>
        openSignedLine(one, { keyId: key.id, purpose, contract: shape }),
      );
      if (entry.number !== number || entry.previous !== sha256) {
        throw new SignatureBroken(`${where} does not follow the line before it`);
      }
      sha256 = hashOf(one);
      lines.push({ number, record: contract.parse(entry.record), text: one, sha256 });
    }
    const bytes = known.bytes + Buffer.byteLength(whole, "utf8");
    return { lines, end: { bytes, lines: known.lines + lines.length, sha256 } };
  };
  let known = nothingKnown;
  const lines = async (): Promise<readonly LogLine<z.infer<Contract>>[]> => {
    const all = await readFrom(nothingKnown);
    known = all.end;
    return all.lines;
  };
  return {
    lines,
    read: async () => (await lines()).map(({ record }) => record),
    append: async (record) => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const lock = await lockFor(`${file}.lock`);
      try {
        const { end } = await readFrom(known);
        const number = end.lines + 1;
        const text = signedLine(key, purpose, { number, previous: end.sha256, record });
        const bytes = await addLine(file, end.bytes, text);
        known = { bytes, lines: number, sha256: hashOf(text) };
        return { number, record, text, sha256: known.sha256 };
      } finally {
        lock.release();
      }
    },
  };
}

/** How far a log reaches. */
export function endOf(lines: readonly LogLine<unknown>[]): LogEnd {
  const last = lines.at(-1);
  return { lines: last?.number ?? 0, sha256: last?.sha256 ?? noLine };
}

/** Whether a log still holds what it held when its end was recorded. */
export function reaches(lines: readonly LogLine<unknown>[], end: LogEnd): boolean {
  return end.lines === 0 || lines[end.lines - 1]?.sha256 === end.sha256;
}

const hashOf = (line: string): string => createHash("sha256").update(line).digest("hex");

async function addLine(file: string, wholeBytes: number, text: string): Promise<number> {
  const handle = await open(file, "a", 0o600);
  try {
    await handle.truncate(wholeBytes);
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return wholeBytes + Buffer.byteLength(text, "utf8") + 1;
}

async function lockFor(file: string): Promise<Lock> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return takeLock(file);
    } catch (error) {
      if (!(error instanceof LockHeld) || attempt === lockAttemptsMax) throw error;
      await delay(lockWaitMs);
    }
  }
}

function openedAt<Result>(where: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new SignatureBroken(`${where} was changed, or signed under another key`, { cause });
  }
}

/** @throws SignatureBroken when the file is shorter than what was read of it before */
async function textFrom(file: string, from: number): Promise<string> {
  const handle = await open(file, "r").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  try {
    const { size } = (await handle?.stat()) ?? { size: 0 };
    if (size < from) throw new SignatureBroken(`${file} was cut since it was read`);
    if (handle === undefined || size === from) return "";
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await handle?.close();
  }
}
