import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const fonts = fileURLToPath(new URL("../../../web/fonts", import.meta.url));

/** Copies the product's typefaces to where a build has them, with the manifest. */
export async function copyFonts(dist: string): Promise<void> {
  const manifest: Record<string, { file: string }> = {};
  await mkdir(join(dist, "assets"), { recursive: true });
  const faces = (await readdir(fonts)).filter((face) => face.endsWith(".woff2"));
  for (const face of faces) {
    const file = `assets/${face}`;
    await copyFile(join(fonts, face), join(dist, file));
    manifest[`fonts/${face}`] = { file };
  }
  await writeFile(join(dist, "manifest.json"), JSON.stringify(manifest));
}
