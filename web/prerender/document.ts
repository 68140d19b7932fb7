import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { directionOf } from "../i18n/languages.ts";
import { escapeText } from "./escape-text.ts";

export type DocumentParts = {
  language: Locale;
  title: string;
  /** Tags for search engines and previews. */
  tags: readonly string[];
  /** The page as rendered by React. */
  html: string;
  headScript: string;
  /** Absent in a document that no application takes over. */
  entry?: string;
  /** Modules of the page without the entry. */
  modules: readonly string[];
  /** The page is drawn by its modules alone, so they are loaded at once, not after the first paint. */
  empty?: boolean;
  styles: readonly string[];
  fonts: readonly string[];
};

/** An empty document has nothing to show before its application. */
function startTags({ empty = false, entry, modules }: DocumentParts): string[] {
  if (!empty || entry === undefined) return [];
  return [
    `<script type="module" src="${entry}"></script>`,
    ...modules.map((module) => `<link rel="modulepreload" href="${module}">`),
  ];
}

/**
 * A whole document. Only the head script is inline, with its hash in the server's policy; it loads
 * the modules of a prerendered page after the first paint.
 */
export function htmlDocument(parts: DocumentParts): string {
  const direction = directionOf(parts.language);
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...(parts.entry === undefined
      ? []
      : [`<meta name="modules" content="${[parts.entry, ...parts.modules].join(" ")}">`]),
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
    ...parts.styles.map((style) => `<link rel="stylesheet" href="${style}">`),
    // After the styles, which declare the fonts it requests.
    `<script>${parts.headScript}</script>`,
    ...startTags(parts),
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
