import { isUtf8 } from "node:buffer";

import type { FastifyInstance } from "fastify";

import { ProblemError } from "./problem-details.ts";

/** Keys that would reach into an object's prototype when copied carelessly. */
const poisoned = /"(?:__proto__|constructor)"\s*:/;

/**
 * Reads bodies of the given content types as JSON: strict UTF-8 (a replacement character would
 * silently change what was sent), no prototype keys, empty bodies refused.
 */
export function addJsonParser(app: FastifyInstance, contentTypes: readonly string[]): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...contentTypes], { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, parseJson(Buffer.isBuffer(body) ? body : Buffer.from(body)));
    } catch (error) {
      done(error instanceof Error ? error : new ProblemError("malformed_json"));
    }
  });
}

/** @throws ProblemError `invalid_encoding` or `malformed_json`. */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ProblemError("invalid_encoding");
  const text = body.toString("utf8");
  if (poisoned.test(text)) throw new ProblemError("malformed_json");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProblemError("malformed_json", { cause });
  }
}
