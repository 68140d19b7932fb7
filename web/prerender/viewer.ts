import { cp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { themes } from "@pro-talent/schemas/studio/portfolio";
import { build, type InlineConfig } from "vite";
import { z } from "zod";

const webRoot = join(import.meta.dirname, "..");
const pdfjs = dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));

/** What pdf.js asks for when a document needs it; of `wasm`, the decoders in plain JavaScript. */
const resources = ["cmaps", "standard_fonts"];
const decoders = ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"];

/**
 * The script and style of the pages behind share links, `viewer/viewer.js` and `viewer/viewer.css`, and the
 * styles of portfolios: names that the services know which write those pages. What they load has hashed names.
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
  await bundleThemes(outDir, shared);
  const target = join(outDir, `assets/pdfjs-${version}`);
  for (const folder of resources)
    await cp(join(pdfjs, folder), join(target, folder), { recursive: true });
  for (const file of decoders) await cp(join(pdfjs, "wasm", file), join(target, "wasm", file));
}

/** A style sheet for each theme of portfolios, `viewer/portfolio-folio.css`, as their pages name it. */
async function bundleThemes(outDir: string, shared: InlineConfig): Promise<void> {
  await build({
    ...shared,
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: themes.map((theme) => join(webRoot, `viewer/themes/portfolio-${theme}.css`)),
        output: {
          assetFileNames: ({ names }) =>
            names.some((name) => name.startsWith("portfolio-"))
              ? "viewer/[name][extname]"
              : "assets/[name]-[hash][extname]",
        },
      },
    },
  });
}
