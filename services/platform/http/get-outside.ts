import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

import {
  type OutsideFault,
  outsideFault,
  type OutsideOptions,
  requestOutside,
} from "./outside-connection.ts";

export type OutsideGet = {
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body, after decompression; what is beyond it is not read. */
  readonly bytesMax: number;
  /** Whether the body of an answer with these headers is of use; else it is left unread. */
  readonly reads: (status: number, headers: IncomingHttpHeaders) => boolean;
  /** Ends everything, also a body that arrives slowly. */
  readonly until: AbortSignal;
};

export type OutsideContent =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
  | { readonly fault: OutsideFault };

const decoders = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
type Coding = keyof typeof decoders;
const isCoding = (name: string): name is Coding => Object.hasOwn(decoders, name);

/**
 * Gets what an external server has at an address, as {@link requestOutside} connects to it, and at most
 * `bytesMax` of it. A compressed body is decompressed no further than that.
 * @param url http or https with a name in the public DNS
 */
export async function getOutside(
  url: string,
  { headers, bytesMax, reads, until }: OutsideGet,
  options: OutsideOptions = {},
): Promise<OutsideContent> {
  try {
    const asked = { ...headers, "accept-encoding": "gzip, deflate, br" };
    const sent = { method: "GET", headers: asked, until } as const;
    const answer = await requestOutside(url, sent, options);
    try {
      const { statusCode: status = 0, headers: answered } = answer;
      const body = reads(status, answered) ? await beginning(answer, bytesMax) : Buffer.alloc(0);
      return { status, headers: answered, body };
    } finally {
      answer.destroy();
    }
  } catch (error) {
    return { fault: outsideFault(error, until) };
  }
}

async function beginning(answer: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(answer)) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

/** @throws for a coding that was not asked for, or several */
function decoded(answer: IncomingMessage): Readable {
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (coding === "identity" || coding === "") return answer;
  if (!isCoding(coding)) throw new Error("The body has a coding that is not known");
  // An error of either stream ends the decoder, whose reader gets it.
  return pipeline(answer, decoders[coding](), () => undefined);
}
