import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyReply } from "fastify";

import { linkTexts } from "./link-texts.ts";

export type LinkDocument = {
  readonly language: Locale;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Its script draws the document and reports what was seen (web/viewer). */
  readonly hasScript?: boolean;
};

/** A whole page behind a link, in the look of the site. Style and script are built from web/viewer. */
function linkDocument({ language, title, body, hasScript = false }: LinkDocument): string {
  return `<!doctype html>
<html lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${linkTexts[language].brand}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/viewer/viewer.css">
${hasScript ? '<script type="module" src="/viewer/viewer.js"></script>' : ""}
</head>
<body>${body}</body>
</html>
`;
}

/** After a form that opens a link, the browser is redirected to wherever the link leads: over https. */
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'";
/** pdf.js compiles nothing at run time and needs no inline style: nothing is unsafe here either. */
const scriptPolicy = `${policy}; script-src 'self'; worker-src 'self'; connect-src 'self'`;

/** Answers with a page that no other site can frame, cache, index or see as referrer. */
export const answerDocument = (
  reply: FastifyReply,
  status: number,
  document: LinkDocument,
): FastifyReply =>
  reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("content-language", document.language)
    .header("content-security-policy", document.hasScript === true ? scriptPolicy : policy)
    .header("cross-origin-opener-policy", "same-origin")
    .header("referrer-policy", "no-referrer")
    .header("x-robots-tag", "noindex")
    .send(linkDocument(document));

const drawing = `<svg width="30" height="30" viewBox="0 0 30 30" aria-hidden="true" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="M10.5 8h6l3.5 3.500V22h-9.500Z M16.5 8v3.500H20" stroke="currentColor" stroke-width="1.5"/><path class="brand__mark" d="M23.5 4.800C17.5 0.5 7.5 1.800 3.800 8.200C0 15 1.5 24.5 9.5 27.600C18 30.800 27 26.5 28.400 18C29.600 10.5 23 2.800 13.5 3.200" stroke-width="2"/></svg>`;

/** The name of the product, which leads to the site. */
export const brandLink = (language: Locale, origin: string): string =>
  `<a class="brand" href="${escapeHtml(origin)}/" aria-label="${linkTexts[language].home}">${drawing}<span class="brand__name" dir="ltr">${linkTexts[language].brand}</span></a>`;

/** The same page in the other language. */
export function languageLink(language: Locale): string {
  const other = language === "en" ? "he" : "en";
  const text = linkTexts[language].otherLanguage;
  return `<a href="?lang=${other}" hreflang="${other}" lang="${other}">${text}</a>`;
}
