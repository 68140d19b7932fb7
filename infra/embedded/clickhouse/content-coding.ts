import type { Transform } from "node:stream";
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from "node:zlib";

import { refusal } from "./engine-error.ts";

type Coding = { encode: () => Transform; decode: () => Transform };

/** Fast rather than small: both ends are on this machine. */
const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: { encode: () => createGzip({ level: 1 }), decode: () => createGunzip() },
  zstd: { encode: () => createZstdCompress(), decode: () => createZstdDecompress() },
};

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

/**
 * A stream that decodes a request body, undefined when it is sent as it is.
 * @throws {EngineError} 48 for a coding that is not supported
 */
export function decoderFor(header: string | undefined): Transform | undefined {
  const name = header?.trim().toLowerCase() ?? "";
  return name === "" || name === "identity" ? undefined : codingOf(name).decode();
}

function codingOf(name: string): Coding {
  const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
  if (coding !== undefined) return coding;
  throw refusal("NOT_IMPLEMENTED", "Unknown compression method.");
}
