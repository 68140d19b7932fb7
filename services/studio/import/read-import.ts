import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { z } from "zod";

import { ImportAnswer } from "./import-messages.ts";

/** Why nothing was read: the code of the problem that the call answers with. */
export type ImportRefused = { readonly refused: "import_unreadable" | "import_too_large" };
export type ImportResult = NonNullable<ImportAnswer> | ImportRefused;

type Limits = {
  /** Of a file, until it is given up. */
  readonly secondsMax?: number;
  /** Of the process that reads it. */
  readonly mebibytesMax?: number;
};

/** Files are read one after another, so that no number of them takes more than one process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a CV from a file: JSON Resume, DOCX, PDF or LinkedIn's archive, recognised by its content. It is read in a
 * process of its own without secrets, which is ended when it takes too long or too much memory.
 * @param language of the document where the file shows none
 */
export function readImport(
  content: Uint8Array,
  language: Locale,
  limits: Limits = {},
): Promise<ImportResult> {
  if (content.length > cvLimits.importBytesMax)
    return Promise.resolve({ refused: "import_too_large" });
  const read = last.then(() => readInProcess(content, language, limits));
  last = read.catch(() => undefined);
  return read;
}

async function readInProcess(
  content: Uint8Array,
  language: Locale,
  { secondsMax = 20, mebibytesMax = 768 }: Limits,
): Promise<ImportResult> {
  const program = fileURLToPath(new URL("import-process.ts", import.meta.url));
  const child = fork(program, [String(mebibytesMax)], {
    serialization: "advanced",
    execArgv: ["--max-old-space-size=384"],
    env: {},
    // What a library prints about a file may quote it.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = new AbortController();
  const exited = once(child, "exit").then(() => ended.abort());
  const signal = AbortSignal.any([AbortSignal.timeout(secondsMax * 1000), ended.signal]);
  try {
    const answered = once(child, "message", { signal });
    child.send({ content: Buffer.from(content), language });
    const messages: unknown = await answered;
    const [answer] = z.tuple([ImportAnswer]).rest(z.unknown()).parse(messages);
    return answer ?? { refused: "import_unreadable" };
  } catch (error) {
    // Ended for its memory or its time: such a file is no CV. Any other fault is ours.
    if (!signal.aborted) throw error;
    return { refused: "import_unreadable" };
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}
