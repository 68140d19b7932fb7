import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import {
  type LegalDocumentName,
  legalDocumentNames,
} from "@pro-talent/schemas/site/legal-documents";
import {
  allVersions,
  type LegalVersion,
  versionPath,
  versionsOf,
  versionsPath,
} from "@pro-talent/schemas/site/legal-history";

import { formatDate } from "../i18n/format.ts";
import { languages, otherLanguage } from "../i18n/languages.ts";
import { type DocumentParts, htmlDocument } from "./document.ts";
import { escapeText } from "./escape-text.ts";
import { brand } from "./head-tags.ts";
import { elementsOf, elementsOfClass, textOf } from "./html-elements.ts";

/** Apart from the translations of the pages: no page loads these. */
const texts = {
  en: {
    versionOf: "Version of {{date}}",
    status: {
      coming: "Takes effect on this day at the earliest",
      "in-force": "In force",
      former: "Earlier version",
    },
    current: "The version in force",
    all: "All versions",
    language: "English",
  },
  he: {
    versionOf: "גרסה מיום {{date}}",
    status: {
      coming: "תיכנס לתוקף לא לפני היום הזה",
      "in-force": "בתוקף",
      former: "גרסה קודמת",
    },
    current: "הגרסה שבתוקף",
    all: "כל הגרסאות",
    language: "עברית",
  },
} as const satisfies Record<Locale, object>;
const frozenFolder = join(import.meta.dirname, "../pages/legal/versions");

/** The file that keeps a version as it was shown. */
export const frozenFile = (
  { name, version }: Omit<LegalVersion, "status">,
  language: Locale,
): string => join(frozenFolder, `${name}-${version}.${language}.html`);

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

const link = (href: string, text: string): string =>
  `<a class="legal__link" href="${href}">${text}</a>`;

/** The beginning of a document, with links to its other language and to what belongs to it. */
function headOf(language: Locale, title: string, lines: readonly string[]): string {
  const other = otherLanguage(language);
  const toOther = `<a class="legal__link" href="?lang=${other}" lang="${other}" hreflang="${other}">${texts[other].language}</a>`;
  return `<header class="legal__head">
<p>${link("/", brand)} · ${toOther}</p>
${title}
${lines.map((line) => `<p class="legal__date">${line}</p>`).join("\n")}
</header>`;
}

const dated = (language: Locale, version: string): string => {
  const date = formatDate(language, version);
  return `<time datetime="${version}">${texts[language].versionOf.replace("{{date}}", date)}</time>`;
};

function articleOf(frozen: string, { name, version, status }: LegalVersion, language: Locale) {
  const { current, all, status: statusTexts } = texts[language];
  const at = frozen.indexOf("<nav");
  const head = headOf(language, frozen.slice(0, at), [
    `${dated(language, version)} · ${statusTexts[status]}`,
    `${link(`/${name}`, current)} · ${link(versionsPath(name), all)}`,
  ]);
  return `<main id="main"><article class="legal legal--numbered page-width">
${head}
${frozen.slice(at)}</article></main>`;
}

/** The page that lists the versions of a document, which are all that it contains. */
function listOf(name: LegalDocumentName, title: string, language: Locale): string {
  const { all, status: statusTexts } = texts[language];
  const items = versionsOf(name).map(
    ({ version, status }) =>
      `<li>${link(versionPath(name, version), dated(language, version))} · ${statusTexts[status]}</li>`,
  );
  return `<main id="main"><article class="legal page-width">
${headOf(language, `<h1>${title}</h1>`, [all])}
<ul class="legal__list">
${items.join("\n")}
</ul></article></main>`;
}

export type StaticParts = Pick<DocumentParts, "headScript" | "styles" | "fonts">;

const titleOf = (frozen: string): string =>
  textOf(elementsOf(frozen, (tag) => tag === "h1")[0]?.inner ?? "");

/** A document without the application: complete without its scripts, and never drawn anew. */
function staticDocument(
  { title, html }: Pick<DocumentParts, "title" | "html">,
  language: Locale,
  parts: StaticParts,
): string {
  const tags = [
    '<meta name="robots" content="noindex">',
    `<meta name="description" content="${escapeText(title)}">`,
  ];
  return htmlDocument({
    ...parts,
    language,
    title: `${title} | ${brand}`,
    tags,
    html,
    modules: [],
  });
}

/** The document of a version. */
export function versionDocument(
  frozen: string,
  version: LegalVersion,
  language: Locale,
  parts: StaticParts,
): string {
  const date = formatDate(language, version.version);
  const title = `${titleOf(frozen)}, ${texts[language].versionOf.replace("{{date}}", date)}`;
  return staticDocument({ title, html: articleOf(frozen, version, language) }, language, parts);
}

/** The document that lists the versions. */
export function versionsDocument(
  frozen: string,
  name: LegalDocumentName,
  language: Locale,
  parts: StaticParts,
): string {
  const title = titleOf(frozen);
  const html = listOf(name, title, language);
  return staticDocument({ title: `${title}: ${texts[language].all}`, html }, language, parts);
}

/** Writes every version that was ever announced, and their lists. @param partsOf a page of the legal texts */
export async function writeLegalVersions(
  dist: string,
  partsOf: (name: LegalDocumentName, language: Locale) => StaticParts,
): Promise<number> {
  const write = async (language: Locale, path: string, document: string): Promise<void> => {
    const file = join(dist, language, `${path}.html`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, document);
  };
  for (const language of languages) {
    for (const version of allVersions()) {
      const frozen = await readFile(frozenFile(version, language), "utf8");
      const document = versionDocument(frozen, version, language, partsOf(version.name, language));
      await write(language, versionPath(version.name, version.version), document);
    }
    for (const name of legalDocumentNames) {
      const [newest] = versionsOf(name);
      if (newest === undefined) continue;
      const frozen = await readFile(frozenFile(newest, language), "utf8");
      const document = versionsDocument(frozen, name, language, partsOf(name, language));
      await write(language, versionsPath(name), document);
    }
  }
  return languages.length * (allVersions().length + legalDocumentNames.length);
}
