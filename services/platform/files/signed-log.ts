import { createHash } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";

import { z } from "zod";

import {
  openSignedLine,
  SignatureBroken,
  signedLine,
  type SigningKey,
} from "../crypto/signed-text.ts";

/**
 * A file that is only added to: one signed line each, with the number of the line and the SHA-256 of
 * the line before, so that a missing, moved or changed line is found.
 */
export type SignedLog<Entry> = {
  /** All entries, the oldest first; none without a file. @throws SignatureBroken naming the line */
  readonly read: () => Promise<readonly Entry[]>;
  /** Their lines as they stand in the file. @throws SignatureBroken naming the line */
  readonly lines: () => Promise<readonly string[]>;
  /** On disk once it resolves. One writer at a time. @throws SignatureBroken when the file is damaged */
  readonly append: (entry: Entry) => Promise<void>;
};

const firstPrevious = "0".repeat(64);

export function openSignedLog<Contract extends z.ZodType>(
  file: string,
  { key, purpose, contract }: { key: SigningKey; purpose: string; contract: Contract },
): SignedLog<z.infer<Contract>> {
  const line = z.strictObject({
    number: z.int().positive(),
    previous: z.string(),
    record: z.unknown(),
  });
  const readLines = async () => {
    const text = await textOf(file);
    // What a crash left of a line was never acknowledged.
    const lines = text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .slice(0, -1);
    let previous = firstPrevious;
    const records = lines.map((one, index) => {
      const where = `line ${index + 1} of ${purpose}`;
      const entry = openedAt(where, () =>
        openSignedLine(one, { keyId: key.id, purpose, contract: line }),
      );
      if (entry.number !== index + 1 || entry.previous !== previous) {
        throw new SignatureBroken(`${where} does not follow the line before it`);
      }
      previous = createHash("sha256").update(one).digest("hex");
      return contract.parse(entry.record);
    });
    const wholeBytes = lines.reduce((sum, one) => sum + Buffer.byteLength(one, "utf8") + 1, 0);
    return { records, lines, previous, wholeBytes };
  };
  return {
    read: async () => (await readLines()).records,
    lines: async () => (await readLines()).lines,
    append: async (record) => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const { records, previous, wholeBytes } = await readLines();
      const text = signedLine(key, purpose, { number: records.length + 1, previous, record });
      const handle = await open(file, "a", 0o600);
      try {
        await handle.truncate(wholeBytes);
        await handle.writeFile(`${text}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

function openedAt<Result>(where: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new SignatureBroken(`${where} was changed, or signed under another key`, { cause });
  }
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
}
