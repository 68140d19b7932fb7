import { open, readFile } from "node:fs/promises";

import { isMissing } from "@pro-talent/platform/files/is-missing";
import { SignedHead } from "@pro-talent/schemas/ledger/heads";
import { z } from "zod";

import { canonicalJson } from "../kernel/canonical-json.ts";

const Published = z.object({ heads: z.array(SignedHead) });

/**
 * The heads in a text: lines of JSON, as the file of heads has them and as they are mailed, or the
 * answer of `GET /api/ledger/heads`. A last line without its end was never written completely.
 * @throws SyntaxError or ZodError when it is neither
 */
export function readHeads(text: string): SignedHead[] {
  const published = Published.safeParse(asJson(text));
  if (published.success) return published.data.heads.toReversed();
  const lines = text.split("\n");
  const [last = ""] = lines.splice(-1);
  if (SignedHead.safeParse(asJson(last)).success) lines.push(last);
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => SignedHead.parse(JSON.parse(line)));
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A file that heads are added to, one line each. Outside the database and its backups. */
export class HeadFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** All heads, the oldest first; none when there is no file yet. */
  async read(): Promise<SignedHead[]> {
    return readHeads(await this.#text());
  }

  /**
   * Adds a head; it is on disk afterwards. What a crash left of a line is removed first: a head that
   * was never complete was never published.
   */
  async append(head: SignedHead): Promise<void> {
    const text = await this.#text();
    const whole = Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1), "utf8");
    const file = await open(this.#path, "a", 0o644);
    try {
      if (whole < Buffer.byteLength(text, "utf8")) await file.truncate(whole);
      await file.writeFile(`${canonicalJson(head)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async #text(): Promise<string> {
    return await readFile(this.#path, "utf8").catch((error: unknown) => {
      if (isMissing(error)) return "";
      throw error;
    });
  }
}
