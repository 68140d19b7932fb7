import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { originPlaceholder } from "@pro-talent/schemas/site/public-origin";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A few per cent above the smallest size in a tenth of its time: the start waits for all documents. */
const brotliQuality = 6;

export type Filled = { identity: Buffer; br: Buffer; gzip: Buffer };

/** The text with the origin in its place, compressed anew; nothing when it does not ask for one. */
export async function fillOrigin(built: Buffer, publicOrigin: string): Promise<Filled | undefined> {
  if (!built.includes(originPlaceholder)) return undefined;
  const text = built.toString("utf8").replaceAll(originPlaceholder, publicOrigin);
  const identity = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })]);
  return { identity, br, gzip: gz };
}
