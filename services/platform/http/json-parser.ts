import { isUtf8 } from "node:buffer";

import type { FastifyInstance } from "fastify";

import { ProblemError } from "./problem-details.ts";

/**
 * Reads bodies of the given content types as JSON with Fastify's own parser, which refuses empty
 * bodies and keys that reach into an object's prototype. Bytes must be UTF-8: a replacement
 * character would silently change what was sent. Refusals are `invalid_encoding` and
 * `malformed_json`.
 */
export function addJsonParser(app: FastifyInstance, contentTypes: readonly string[]): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    [...contentTypes],
    { parseAs: "buffer" },
    (request, body, done) => {
      if (isUtf8(body)) return parse(request, body.toString("utf8"), done);
      return done(new ProblemError("invalid_encoding"));
    },
  );
}
