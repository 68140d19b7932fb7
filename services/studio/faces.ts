import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { Page } from "@pro-talent/schemas/studio/page";
import { Blob, Face } from "harfbuzzjs";

import { fieldsOf } from "./fields.ts";
import type { Outline } from "./outline.ts";

type Weights = readonly string[];
const upright: Weights = ["400Regular", "600SemiBold", "700Bold"];
const latin: Weights = [...upright, "400Regular_Italic", "700Bold_Italic"];

/** All under the SIL Open Font License 1.1, which allows them to be embedded. */
const families = {
  "Source Serif 4": {
    package: "source-serif-4",
    file: "SourceSerif4",
    weights: ["300Light", ...latin],
  },
  "Source Sans 3": { package: "source-sans-3", file: "SourceSans3", weights: latin },
  Roboto: { package: "roboto", file: "Roboto", weights: latin },
  "Frank Ruhl Libre": {
    package: "frank-ruhl-libre",
    file: "FrankRuhlLibre",
    weights: ["300Light", ...upright],
  },
  Assistant: { package: "assistant", file: "Assistant", weights: upright },
  Heebo: { package: "heebo", file: "Heebo", weights: upright },
  "Noto Sans Arabic": {
    package: "noto-sans-arabic",
    file: "NotoSansArabic",
    weights: ["400Regular", "700Bold"],
  },
  "Noto Emoji": { package: "noto-emoji", file: "NotoEmoji", weights: ["400Regular"] },
} as const satisfies Readonly<Record<string, { package: string; file: string; weights: Weights }>>;
type Family = keyof typeof families;

/** A Latin family, and the Hebrew one whose own Latin is drawn after the same model. */
type Pair = { readonly latin: Family; readonly hebrew: Family };
const serif: Pair = { latin: "Source Serif 4", hebrew: "Frank Ruhl Libre" };
const humanist: Pair = { latin: "Source Sans 3", hebrew: "Assistant" };
const grotesque: Pair = { latin: "Roboto", hebrew: "Heebo" };
const pairs: Readonly<Record<Page["fonts"], { readonly title: Pair; readonly text: Pair }>> = {
  serif: { title: serif, text: serif },
  humanist: { title: humanist, text: humanist },
  grotesque: { title: grotesque, text: grotesque },
  mixed: { title: serif, text: humanist },
};

/** For what neither family of a pair has. The last one has the sign that replaces all other characters. */
const others: readonly Family[] = ["Noto Sans Arabic", "Noto Emoji", "Source Sans 3"];

/** Shown instead of a character without a glyph, which would cost the file its conformance to PDF/UA. */
export const replacementSign = "\u25A1";

/**
 * The families of a document, in the order in which a glyph is looked for. That of its language comes first:
 * spaces are then never of another family than the words around them, which would split every line into words.
 */
export function familiesOf(fonts: Page["fonts"], language: Locale) {
  const order = ({ latin: one, hebrew: other }: Pair): Family[] => [
    ...new Set([...(language === "he" ? [other, one] : [one, other]), ...others]),
  ];
  const { title, text } = pairs[fonts];
  return { title: order(title), text: order(text), italic: [text.latin, text.hebrew, ...others] };
}

const require = createRequire(import.meta.url);

/** The font files of a family. */
function filesOf({ package: name, file, weights }: (typeof families)[Family]): string[] {
  return weights.map((weight) =>
    require.resolve(`@expo-google-fonts/${name}/${weight}/${file}_${weight}.ttf`),
  );
}

/** All font files that a document may be set in. */
export const faceFiles = (): string[] => Object.values(families).flatMap(filesOf);

const known = new Map<Family, ReadonlySet<number>>();

function glyphsOf(family: Family): ReadonlySet<number> {
  const cached = known.get(family);
  if (cached !== undefined) return cached;
  const regular = filesOf(families[family]).find((file) => file.includes("400Regular")) ?? "";
  const glyphs = new Set(new Face(new Blob(readFileSync(regular))).collectUnicodes());
  known.set(family, glyphs);
  return glyphs;
}

/** Shown by no glyph of its own: joiners, variation selectors, tags of flags. */
const unseen = /^\p{Default_Ignorable_Code_Point}$/u;

/** The characters of a CV for which its typefaces have no glyph, each once: they are named before an export. */
export function charactersWithoutGlyph(outline: Outline, fonts: Page["fonts"]): string[] {
  const { title, text: body } = familiesOf(fonts, outline.language);
  const has = (families: readonly Family[], code: number): boolean =>
    families.some((family) => glyphsOf(family).has(code));
  const text = fieldsOf(outline).map((field) => field.text);
  return [...new Set(text.join(""))].filter((character) => {
    const code = character.codePointAt(0) ?? 0;
    return !unseen.test(character) && !(has(title, code) && has(body, code));
  });
}
