import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { originPlaceholder } from "@pro-talent/schemas/site/public-origin";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const compressible = /\.(html|m?js|css|svg|json)$/;
/** Below this size compression saves less than its header costs. */
const worthBytes = 256;

/**
 * Writes `.br` and `.gz` beside every text file in `folder`, at the highest level. The server
 * compresses files in which it fills in its origin.
 */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
  await Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const content = await readFile(file);
      if (content.length < worthBytes || content.includes(originPlaceholder)) return;
      const quality = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await Promise.all([
        brotli(content, { params: quality }).then((small) => writeFile(`${file}.br`, small)),
        zip(content, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
      ]);
    }),
  );
}
