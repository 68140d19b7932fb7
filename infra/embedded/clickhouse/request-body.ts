import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from "node:zlib";

import { refusal } from "./engine-error.ts";

type Coding = { encode: () => Transform; decode: () => Transform };

/** Fast rather than small: both ends are on this machine. */
const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: { encode: () => createGzip({ level: 1 }), decode: () => createGunzip() },
  zstd: { encode: () => createZstdCompress(), decode: () => createZstdDecompress() },
};

const MAX_FORM_BYTES = 1 << 28;

function codingOf(name: string): Coding {
  const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
  if (coding !== undefined) return coding;
  throw refusal("NOT_IMPLEMENTED", "Unknown compression method.");
}

/** The first supported content coding of an `Accept-Encoding` header. */
export function acceptedCoding(header: string | string[] | undefined): string | undefined {
  const accepted = String(header ?? "")
    .split(",")
    .map((part) => part.split(";")[0]?.trim() ?? "");
  return accepted.find((name) => Object.hasOwn(CODINGS, name));
}

/** A stream that encodes a response. */
export function encoderFor(coding: string): Transform {
  return codingOf(coding).encode();
}

async function* buffers(source: Readable): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source) {
    const bytes: unknown = chunk;
    if (!Buffer.isBuffer(bytes)) throw new Error("A request body is bytes");
    yield bytes;
  }
}

/**
 * The bytes of a request, decompressed.
 * @throws {EngineError} 48 for a content coding that is not supported, 354 for a broken body
 */
export async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  const coding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return yield* buffers(request);
  const decoder = codingOf(coding).decode();
  // The pipeline ends the decoder with the request's error, if it has one.
  pipeline(request, decoder, () => undefined);
  try {
    yield* buffers(decoder);
  } catch (error) {
    if (request.destroyed && !request.complete) throw error;
    throw refusal("ZLIB_INFLATE_FAILED", "The compressed body can't be read.");
  }
}

/** Whether the statement and its parameters come as a form. */
export function isForm(request: IncomingMessage): boolean {
  return /^multipart\/form-data/i.test(request.headers["content-type"] ?? "");
}

/** Fields of a form, and its files, which are external tables. */
export type Form = { fields: [string, string][]; files: { name: string; rows: Buffer }[] };

/**
 * The parts of a form (RFC 7578), in order.
 * @throws {EngineError} 36 for a form that can't be read
 */
export async function formOf(request: IncomingMessage): Promise<Form> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyOf(request)) {
    size += chunk.length;
    if (size > MAX_FORM_BYTES) throw refusal("BAD_ARGUMENTS", "The form is too large.");
    parts.push(chunk);
  }
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  // oxlint-disable-next-line typescript/no-deprecated -- for servers that strangers call; this one is called from this machine
  const form = await new Response(Buffer.concat(parts), { headers }).formData().catch(() => {
    throw refusal("BAD_ARGUMENTS", "The form can't be read.");
  });
  const result: Form = { fields: [], files: [] };
  for (const [name, value] of form) {
    if (typeof value === "string") result.fields.push([name, value]);
    else result.files.push({ name, rows: Buffer.from(await value.arrayBuffer()) });
  }
  return result;
}
