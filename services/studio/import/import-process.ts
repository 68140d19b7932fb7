import { Worker } from "node:worker_threads";

import { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import type { ImportAnswer } from "./import-messages.ts";
import { readBytes } from "./read-bytes.ts";

const mebibyte = 1024 * 1024;
const Request = z.object({
  content: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  language: Locale,
});

const watch = new Worker(new URL("memory-watch.ts", import.meta.url), {
  workerData: { bytesMax: Number(process.argv[2]) * mebibyte },
});
watch.unref();

process.once("message", (message: unknown) => {
  const { content, language } = Request.parse(message);
  void answer(content, language).then((read) => process.send?.(read, () => process.disconnect()));
});

/** The answer does not say why: an error may quote the file. */
async function answer(content: Uint8Array, language: Locale): Promise<ImportAnswer> {
  try {
    return await readBytes(Buffer.from(content), language);
  } catch {
    return null;
  }
}
