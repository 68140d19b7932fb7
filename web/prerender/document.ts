import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { directionOf } from "../i18n/languages.ts";
import { escapeText } from "./escape-text.ts";

/** A style sheet: where it lies, and what it says. */
export type Style = { href: string; text: string };

/** What stands between the style tags of a document; the server states its hash. */
export function inlineStyle(styles: readonly Style[]): string {
  return styles.map(({ text }) => text.trim()).join("\n");
}

export type DocumentParts = {
  language: Locale;
  title: string;
  /** Tags about the page for search engines and previews. */
  tags: readonly string[];
  /** The page as React drew it. */
  html: string;
  headScript: string;
  entry: string;
  /** Modules that the page needs, beside the entry; loaded once it has been drawn. */
  modules: readonly string[];
  styles: readonly Style[];
  fonts: readonly string[];
};

/**
 * A whole document. Inline are the head script and the page's styles, whose hashes the server states.
 * The links to the style sheets are of a type that nobody fetches: the bundler's loader finds them and
 * takes the styles for loaded. (A disabled link would be fetched ahead by Chromium's scanner.)
 */
export function htmlDocument(parts: DocumentParts): string {
  const direction = directionOf(parts.language);
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="modules" content="${[parts.entry, ...parts.modules].join(" ")}">`,
    `<script>${parts.headScript}</script>`,
    `<title>${escapeText(parts.title)}</title>`,
    '<meta name="color-scheme" content="light dark">',
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fcfaf6">',
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#10141b">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
    ...parts.fonts.map(
      (font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
    ),
    `<style>${inlineStyle(parts.styles)}</style>`,
    ...parts.styles.map(({ href }) => `<link rel="stylesheet" type="text/plain" href="${href}">`),
    ...parts.tags,
  ];
  const bodyClass = direction === "rtl" ? ' class="rtl"' : "";
  return `<!doctype html>
<html lang="${parts.language}" dir="${direction}">
<head>
${lines.join("\n")}
</head>
<body${bodyClass}>
<div id="root" class="application">${parts.html}</div>
</body>
</html>
`;
}
