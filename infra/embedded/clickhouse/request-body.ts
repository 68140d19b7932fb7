import type { IncomingMessage } from "node:http";
import { type Readable, pipeline } from "node:stream";

import { decoderFor } from "./content-coding.ts";
import { refusal } from "./engine-error.ts";
import { parseForm } from "./multipart-form.ts";

const MAX_FORM_BYTES = 1 << 28;

async function* buffers(source: Readable): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source) {
    const bytes: unknown = chunk;
    if (!Buffer.isBuffer(bytes)) throw new Error("A request body is bytes");
    yield bytes;
  }
}

async function* decoded(request: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  const decoder = decoderFor(request.headers["content-encoding"]);
  if (decoder === undefined) return yield* buffers(request);
  // The pipeline ends the decoder with the request's error, if it has one.
  pipeline(request, decoder, () => undefined);
  try {
    yield* buffers(decoder);
  } catch (error) {
    if (request.destroyed && !request.complete) throw error;
    throw refusal("ZLIB_INFLATE_FAILED", "The compressed body can't be read.");
  }
}

/** The bytes of a request, decompressed. */
export function bodyOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return decoded(request);
}

/** Whether the statement and its parameters come as a form. */
export function isForm(request: IncomingMessage): boolean {
  return /^multipart\/form-data/i.test(request.headers["content-type"] ?? "");
}

/**
 * The fields of a form, in order.
 * @throws {EngineError} 48 for a file (external tables), 36 for a form that can't be read
 */
export async function formOf(request: IncomingMessage): Promise<[string, string][]> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyOf(request)) {
    size += chunk.length;
    if (size > MAX_FORM_BYTES) throw refusal("BAD_ARGUMENTS", "The form is too large.");
    parts.push(chunk);
  }
  return parseForm(Buffer.concat(parts), request.headers["content-type"] ?? "");
}
