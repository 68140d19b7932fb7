import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { directionOf } from "../i18n/languages.ts";

export type DocumentParts = {
  language: Locale;
  title: string;
  description: string;
  /** The page as React drew it. */
  html: string;
  headScript: string;
  entry: string;
  /** Modules that the page needs at once, beside the entry. */
  modules: readonly string[];
  styles: readonly string[];
  fonts: readonly string[];
};

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** A whole document. Inline is only the head script, whose hash the server states. */
export function htmlDocument(parts: DocumentParts): string {
  const direction = directionOf(parts.language);
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<script>${parts.headScript}</script>`,
    `<title>${escapeText(parts.title)}</title>`,
    `<meta name="description" content="${escapeText(parts.description)}">`,
    '<meta name="color-scheme" content="light dark">',
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fcfaf6">',
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#10141b">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...parts.fonts.map(
      (font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
    ),
    ...parts.styles.map((style) => `<link rel="stylesheet" href="${style}">`),
    ...parts.modules.map((module) => `<link rel="modulepreload" href="${module}">`),
    `<script type="module" src="${parts.entry}"></script>`,
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
