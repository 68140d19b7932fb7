import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import subsetFont from "subset-font";

/**
 * Reduces the two font families to the characters and weights in use, one file per script, and
 * copies their licences. Run after a change of either: `node web/fonts/subset.ts`.
 */
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

const range = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, step) => from + step));

/** Basic Latin and the punctuation of edited text. */
const unspaced = `${range(0x21, 0x7e)}\u00a9\u00b7\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026`;
const latin = ` \u00a0${unspaced}`;
/** Accented letters of names; a separate file, fetched only where one occurs. */
const accented = `${range(0xa1, 0xff)}\u2212\u20ac`;
/** Hebrew letters, maqaf, geresh, gershayim and the shekel sign; no vowel points. */
const hebrew = `${range(0x5d0, 0x5ea)}\u05be\u05f3\u05f4\u20aa`;

/**
 * Heebo is the text font; Frank Ruhl Libre is for headlines, in one weight. It kerns the space
 * (-0.07 em before a w, so that "people who" looks like one word): its space is that of Heebo.
 */
const families = [
  { name: "heebo", weight: { min: 400, max: 600 }, scripts: { latin, accented, hebrew } },
  { name: "frank-ruhl-libre", weight: 500, scripts: { latin: unspaced, hebrew } },
] as const;

for (const family of families) {
  const source = dirname(require.resolve(`@fontsource-variable/${family.name}/package.json`));
  await mkdir(here, { recursive: true });
  // The Latin source file has the accented letters too.
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
