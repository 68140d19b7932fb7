import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { documentsInForce } from "@pro-talent/schemas/site/legal-history";

import { formatDate } from "../i18n/format.ts";
import { languages, otherLanguage } from "../i18n/languages.ts";
import { type DocumentParts, htmlDocument } from "./document.ts";
import { escapeText } from "./escape-text.ts";
import { brand } from "./head-tags.ts";
import { elementsOf, elementsOfClass, textOf } from "./html-elements.ts";

export type LegalVersion = (typeof documentsInForce)[number];

/** Apart from the translations of the pages: no page loads these. */
const texts = {
  en: {
    versionOf: "Version of {{date}}",
    current: "The current version",
    language: "English",
  },
  he: {
    versionOf: "גרסה מיום {{date}}",
    current: "הגרסה הנוכחית",
    language: "עברית",
  },
} as const satisfies Record<Locale, object>;
const frozenFolder = join(import.meta.dirname, "../pages/legal/versions");

/** The file that keeps a version as it was shown. */
export const frozenFile = ({ name, version }: LegalVersion, language: Locale): string =>
  join(frozenFolder, `${name}-${version}.${language}.html`);

/** What a legal page states, without what its application adds: title, summary, contents, sections. */
export function frozenOf(html: string): string {
  const [article] = elementsOfClass(html, "legal");
  if (article === undefined) throw new Error("The page has no legal text");
  const inner = (className: string) => elementsOfClass(article.inner, className)[0]?.inner ?? "";
  const title = elementsOf(article.inner, (tag) => tag === "h1")[0]?.inner ?? "";
  const parts = [
    `<h1>${title}</h1>`,
    `<p class="legal__lead">${inner("legal__lead")}</p>`,
    `<dl class="legal-facts">${inner("legal-facts")}</dl>`,
    `<nav class="legal__contents" aria-labelledby="legal-contents">${inner("legal__contents")}</nav>`,
    `<div class="legal__text">${inner("legal__text")}</div>`,
  ];
  return `${parts
    .join("\n")
    .replaceAll(/<section class="legal__contact".*?<\/section>/gsu, "")
    .replaceAll(/<button.*?<\/button>/gsu, "")
    .replaceAll(/<!--.*?-->/gsu, "")
    .replaceAll(/ data-track="[^"]*"/gu, "")
    .replaceAll(/(<\/section>|<\/li>|<\/p>|<\/tr>)(?=<)/gu, "$1\n")}\n`;
}

/**
 * The words of a frozen document: its markup may change, they may not.
 * @internal compared by a test alone
 */
export const wordsOf = (frozen: string): string => textOf(frozen.replace(/<nav.*?<\/nav>/su, ""));

function articleOf(frozen: string, { name, version }: LegalVersion, language: Locale): string {
  const { versionOf, current } = texts[language];
  const at = frozen.indexOf("<nav");
  const date = formatDate(language, version);
  const other = otherLanguage(language);
  return `<main id="main"><article class="legal legal--numbered page-width">
<header class="legal__head">
<p><a class="legal__link" href="/">${brand}</a></p>
${frozen.slice(0, at)}
<p class="legal__date"><time datetime="${version}">${versionOf.replace("{{date}}", date)}</time></p>
<p><a class="legal__link" href="/${name}">${current}</a> · <a class="legal__link" href="?lang=${other}" lang="${other}" hreflang="${other}">${texts[other].language}</a></p>
</header>
${frozen.slice(at)}</article></main>`;
}

export type StaticParts = Pick<DocumentParts, "headScript" | "styles" | "fonts">;

/** The document of a version: complete without scripts of the application, and never drawn anew. */
export function versionDocument(
  frozen: string,
  version: LegalVersion,
  language: Locale,
  parts: StaticParts,
): string {
  const title = textOf(elementsOf(frozen, (tag) => tag === "h1")[0]?.inner ?? "");
  const date = formatDate(language, version.version);
  return htmlDocument({
    ...parts,
    language,
    title: `${title}, ${texts[language].versionOf.replace("{{date}}", date)} | ${brand}`,
    tags: [
      '<meta name="robots" content="noindex">',
      `<meta name="description" content="${escapeText(title)}">`,
    ],
    html: articleOf(frozen, version, language),
    modules: [],
  });
}

/** Writes every version that was ever in force. @param partsOf a page of the legal texts */
export async function writeLegalVersions(
  dist: string,
  partsOf: (name: LegalVersion["name"], language: Locale) => StaticParts,
): Promise<number> {
  for (const language of languages)
    for (const version of documentsInForce) {
      const file = join(dist, language, version.name, "versions", `${version.version}.html`);
      const frozen = await readFile(frozenFile(version, language), "utf8");
      await mkdir(dirname(file), { recursive: true });
      const parts = partsOf(version.name, language);
      await writeFile(file, versionDocument(frozen, version, language, parts));
    }
  return languages.length * documentsInForce.length;
}
