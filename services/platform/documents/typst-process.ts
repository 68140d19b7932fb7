import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";

import { type DocumentAnswer, DocumentRequest } from "./typst-messages.ts";

/** The font files that documents may be set in, and no others. */
const faces = process.argv.slice(2).map((path) => readFileSync(path));
/** A directory that does not exist: a template reads the files of its document and no others. */
const workspace = "/no-files";
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: faces }] });

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

function compiled({ template, data, files }: DocumentRequest) {
  for (const [path, content] of Object.entries(files))
    compiler.mapShadow(workspace + path, Buffer.from(content));
  const compilation = compiler.compile({ mainFileContent: template, inputs: { data } });
  const document = compilation.result;
  if (document !== null) return document;
  const error = compilation.takeError();
  throw new Error(error === null ? "unknown" : JSON.stringify(error.shortDiagnostics));
}

function drawn(request: DocumentRequest): Omit<DocumentAnswer, "id" | "fault"> {
  const document = compiled(request);
  const pages = document.numOfPages;
  if (request.form === "svg")
    return { bytes: Buffer.from(compiler.plainSvg(document)), pages, accessible: true };
  const options = { creationTimestamp: request.timestamp };
  try {
    const pdf = compiler.pdf(document, { ...options, pdfStandard: "ua-1" });
    return { bytes: withoutDirection(pdf), pages, accessible: true };
  } catch {
    // Still tagged. What is wrong with the template itself fails again.
    const pdf = compiler.pdf(document, { ...options, pdfStandard: "1.7" });
    return { bytes: withoutDirection(pdf), pages, accessible: false };
  }
}

// Ends when its parent does, as nothing else keeps it.
process.on("message", (message: unknown) => {
  const request = DocumentRequest.parse(message);
  const { id } = request;
  let answer: DocumentAnswer;
  try {
    answer = { id, ...drawn(request), fault: null };
  } catch (error) {
    const fault = JSON.stringify(error) + String(error);
    answer = { id, bytes: null, pages: 0, accessible: false, fault };
  }
  for (const path of Object.keys(request.files)) compiler.unmapShadow(workspace + path);
  compiler.evictCache(0);
  // The native side frees its results when the event loop turns.
  void setImmediate().then(() => process.send?.(answer));
});
