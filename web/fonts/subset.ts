import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import subsetFont from "subset-font";

/**
 * Cuts the two type families to the letters and weights the product sets, one file per script, and
 * copies their licences. Run it by hand when letters or weights change: `node web/fonts/subset.ts`.
 */
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

const range = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, step) => from + step));

/** Basic Latin and the punctuation of edited text. */
const latin = `${range(0x20, 0x7e)}\u00a0\u00a9\u00b7\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026`;
/** What names need beside it; a file of its own, fetched only where such a letter stands. */
const accented = `${range(0xa1, 0xff)}\u2212\u20ac`;
/** Hebrew letters, maqaf, geresh, gershayim and the shekel; no points. */
const hebrew = `${range(0x5d0, 0x5ea)}\u05be\u05f3\u05f4\u20aa`;

/** Heebo sets the text in every weight; Frank Ruhl Libre sets headlines in one. */
const families = [
  { name: "heebo", weight: { min: 400, max: 600 }, scripts: { latin, accented, hebrew } },
  { name: "frank-ruhl-libre", weight: 500, scripts: { latin, hebrew } },
] as const;

for (const family of families) {
  const source = dirname(require.resolve(`@fontsource-variable/${family.name}/package.json`));
  await mkdir(here, { recursive: true });
  // Accented letters are published among the Latin ones.
  for (const [script, text] of Object.entries(family.scripts)) {
    const file = `${family.name}-${script}`;
    const published = `${family.name}-${script === "hebrew" ? script : "latin"}-wght-normal.woff2`;
    const full = await readFile(join(source, "files", published));
    const cut = await subsetFont(full, text, {
      targetFormat: "woff2",
      variationAxes: { wght: family.weight },
      noHinting: true,
    });
    await writeFile(join(here, `${file}.woff2`), cut);
    process.stdout.write(`${file}: ${full.length} to ${cut.length} bytes\n`);
  }
  await writeFile(
    join(here, `${family.name}-license.txt`),
    await readFile(join(source, "LICENSE")),
  );
}
