import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const fonts = fileURLToPath(new URL("../../../web/fonts", import.meta.url));

/** Puts the product's typefaces where a build would, with the list that names them. */
export async function putFonts(dist: string): Promise<void> {
  const manifest: Record<string, { file: string }> = {};
  await mkdir(join(dist, "assets"), { recursive: true });
  for (const family of ["heebo", "frank-ruhl-libre"]) {
    for (const script of ["latin", "hebrew"]) {
      const name = `${family}-${script}`;
      const file = `assets/${name}-abc.woff2`;
      await copyFile(join(fonts, `${name}.woff2`), join(dist, file));
      manifest[`fonts/${name}.woff2`] = { file };
    }
  }
  await writeFile(join(dist, "manifest.json"), JSON.stringify(manifest));
}
