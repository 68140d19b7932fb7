import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { parentPort } from "node:worker_threads";

import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { z } from "zod";

/** One document to draw: the template is the product's own source, `data` is text for it, never source. */
export const DocumentRequest = z.object({
  id: z.int(),
  template: z.string(),
  data: z.string(),
  /** Of the document, in seconds since 1970: the same input gives the same bytes. */
  timestamp: z.int(),
});
export const DocumentAnswer = z.object({
  id: z.int(),
  pdf: z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable(),
  /** Whether it keeps PDF/UA-1, which a character without a glyph prevents. */
  accessible: z.boolean(),
  fault: z.string().nullable(),
});
export type DocumentAnswer = z.infer<typeof DocumentAnswer>;

const require = createRequire(import.meta.url);
const faces = ["400Regular", "500Medium", "700Bold"].map((face) =>
  readFileSync(require.resolve(`@expo-google-fonts/heebo/${face}/Heebo_${face}.ttf`)),
);
const compiler = NodeCompiler.create({ fontArgs: [{ fontBlobs: faces }] });

/**
 * Readers that follow the document's direction would take Latin words in Hebrew text from the end: each
 * run has a direction of its own, and the whole is stated as left to right. Of the same length, so that no
 * offset in the file moves.
 */
function withoutDirection(pdf: Buffer): Buffer {
  const at = pdf.indexOf("/Direction /R2L");
  if (at !== -1) pdf.write("/Direction /L2R", at, "latin1");
  return pdf;
}

function compile({ template, data, timestamp }: z.infer<typeof DocumentRequest>) {
  const source = { mainFileContent: template, inputs: { data } };
  const options = { creationTimestamp: timestamp };
  try {
    return { pdf: compiler.pdf(source, { ...options, pdfStandard: "ua-1" }), accessible: true };
  } catch {
    // Still tagged. What is wrong with the template itself fails again.
    return { pdf: compiler.pdf(source, { ...options, pdfStandard: "1.7" }), accessible: false };
  }
}

parentPort?.on("message", (message: unknown) => {
  const request = DocumentRequest.parse(message);
  const { id } = request;
  let answer: DocumentAnswer;
  try {
    const { pdf, accessible } = compile(request);
    answer = { id, pdf: withoutDirection(pdf), accessible, fault: null };
  } catch (error) {
    answer = { id, pdf: null, accessible: false, fault: JSON.stringify(error) + String(error) };
  }
  compiler.evictCache(0);
  // The native side frees its results when the event loop turns.
  void setImmediate().then(() => parentPort?.postMessage(answer));
});
