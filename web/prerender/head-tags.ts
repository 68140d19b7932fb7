import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { originPlaceholder } from "@pro-talent/schemas/site/public-origin";

import type { DocumentHead } from "../app/document-head.ts";
import { addressOf } from "../app/seo/page-address.ts";
import { languages, otherLanguage } from "../i18n/languages.ts";
import { escapeText } from "./escape-text.ts";

export const brand = "Pro Talent";
const ogLocales: Readonly<Record<Locale, string>> = { en: "en_US", he: "he_IL" };

export type PageHead = DocumentHead & { path: string; language: Locale; article: boolean };

/** An absolute address; the server fills in the origin. */
export const absolute = (path: string): string => `${originPlaceholder}${path}`;

const meta = (name: "name" | "property", key: string, content: string): string =>
  `<meta ${name}="${key}" content="${escapeText(content)}">`;

/** The share image of a title, rendered by the site service. */
export const shareImage = (subject: string): string =>
  absolute(`/api/og?title=${encodeURIComponent(subject)}`);

/** The page in each language, and `x-default` for other languages. */
export function alternatesOf(path: string): { language: string; address: string }[] {
  const translated = languages.map((language) => ({
    language,
    address: absolute(addressOf(path, language)),
  }));
  return [...translated, { language: "x-default", address: absolute(path) }];
}

function addressTags(head: PageHead): string[] {
  if (head.canonical === undefined) return [];
  const canonical = `<link rel="canonical" href="${absolute(head.canonical)}">`;
  if (head.robots === "noindex") return [canonical];
  const alternates = alternatesOf(head.path).map(
    ({ language, address }) =>
      `<link rel="alternate" hreflang="${language}" href="${escapeText(address)}">`,
  );
  return [canonical, ...alternates];
}

/** Tags for search engines and previews: canonical address, languages, share image. */
export function headTags(head: PageHead): string[] {
  return [
    meta("name", "description", head.description),
    meta("name", "robots", head.robots),
    ...addressTags(head),
    meta("property", "og:site_name", brand),
    meta("property", "og:type", head.article ? "article" : "website"),
    meta("property", "og:title", head.subject),
    meta("property", "og:description", head.description),
    ...(head.canonical === undefined ? [] : [meta("property", "og:url", absolute(head.canonical))]),
    meta("property", "og:locale", ogLocales[head.language]),
    meta("property", "og:locale:alternate", ogLocales[otherLanguage(head.language)]),
    meta("property", "og:image", shareImage(head.subject)),
    meta("property", "og:image:type", "image/png"),
    meta("property", "og:image:width", "1200"),
    meta("property", "og:image:height", "630"),
    meta("property", "og:image:alt", head.title),
    meta("name", "twitter:card", "summary_large_image"),
  ];
}
