import { cp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build, type InlineConfig } from "vite";
import { z } from "zod";

const webRoot = join(import.meta.dirname, "..");
const pdfjs = dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));

/** What pdf.js asks for when a document needs it; of `wasm`, the decoders in plain JavaScript. */
const resources = ["cmaps", "standard_fonts"];
const decoders = ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"];

/**
 * The script and style of the pages behind share links, `viewer/viewer.js` and `viewer/viewer.css`:
 * names that the collector knows, since it writes those pages. What they load has hashed names.
 */
export async function bundleViewer(outDir: string, shared: InlineConfig): Promise<void> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(pdfjs, "package.json"), "utf8")));
  await build({
    ...shared,
    publicDir: false,
    define: { __PDFJS_VERSION__: JSON.stringify(version) },
    build: {
      outDir,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      // In kB: pdf.js, which only the pages of PDFs load.
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        input: join(webRoot, "viewer/viewer.ts"),
        output: {
          entryFileNames: "viewer/[name].js",
          chunkFileNames: "assets/[name]-[hash].js",
          assetFileNames: ({ names }) =>
            names.includes("viewer.css") ? "viewer/viewer.css" : "assets/[name]-[hash][extname]",
        },
      },
    },
  });
  const target = join(outDir, `assets/pdfjs-${version}`);
  for (const folder of resources)
    await cp(join(pdfjs, folder), join(target, folder), { recursive: true });
  for (const file of decoders) await cp(join(pdfjs, "wasm", file), join(target, "wasm", file));
}
