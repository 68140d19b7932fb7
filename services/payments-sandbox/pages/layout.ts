import { createHash } from "node:crypto";

import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import type { Money } from "@pro-talent/schemas/billing/money";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { texts } from "./texts.ts";

/** Colours and sizes as in web/styles/tokens.css. */
const style = `:root{color-scheme:light dark;--canvas:light-dark(oklch(.985 .006 90),oklch(.19 .015 265));
--surface:light-dark(oklch(1 0 90),oklch(.225 .017 265));--ink:light-dark(oklch(.235 .025 265),oklch(.945 .008 90));
--muted:light-dark(oklch(.43 .022 265),oklch(.775 .014 265));--opened:light-dark(oklch(.45 .092 165),oklch(.82 .13 165));
--danger:light-dark(oklch(.45 .175 27),oklch(.8 .11 25));--control:light-dark(oklch(.6 .02 265),oklch(.6 .02 265));
--focus:light-dark(oklch(.52 .19 260),oklch(.8 .1 255))}
*{box-sizing:border-box;margin:0}
body{background:var(--canvas);color:var(--ink);font:1rem/1.6 Heebo,system-ui,sans-serif;min-block-size:100dvb;overflow-wrap:break-word}
main{margin-inline:auto;max-inline-size:44rem;padding:1.5rem clamp(1.25rem,.6rem + 3vw,3rem) 3rem}
header{align-items:center;display:flex;gap:1rem;justify-content:space-between;margin-block-end:1.5rem}
h1{font:500 clamp(1.875rem,1.5rem + 1.8vw,2.5rem)/1.12 "Frank Ruhl Libre",serif}
h2{font:500 1.375rem/1.15 "Frank Ruhl Libre",serif;margin-block:2rem .75rem}
h3{font-size:1rem;font-weight:600;margin-block:1.25rem .5rem}
.test{border-inline-start:4px solid var(--opened);margin-block:1rem;padding:.5rem 1rem;background:var(--surface)}
.failure{border-inline-start:4px solid var(--danger);color:var(--danger);margin-block:1rem;padding:.5rem 1rem;background:var(--surface)}
.amount{font-size:1.75rem;font-variant-numeric:tabular-nums}
.muted{color:var(--muted)}
ul{display:grid;gap:.75rem;grid-auto-rows:1fr;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));list-style:none;padding:0}
li{display:grid}
button{background:var(--surface);border:1px solid var(--control);border-radius:8px;color:inherit;cursor:pointer;font:inherit;inline-size:100%;
min-block-size:2.75rem;padding:.5rem 1rem;text-align:start}
button:hover{border-color:var(--ink)}
button.solid{background:var(--ink);border-color:var(--ink);color:var(--canvas);text-align:center}
button.line{text-align:center}
button span{display:block}
.number{direction:ltr;font-variant-numeric:tabular-nums;font-weight:500;unicode-bidi:isolate}
a{color:inherit;display:inline-block;padding-block:.5rem;text-underline-offset:.22em}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.choices{display:grid;gap:.75rem;margin-block:1.5rem}`;

/**
 * No scripts, no pictures, nothing from elsewhere; forms lead back to the site alone.
 * @param origins where a form's answer may redirect to
 */
export function pagePolicy(origins: readonly string[]): string {
  const hash = createHash("sha256").update(style).digest("base64");
  const forms = ["'self'", ...new Set(origins)].join(" ");
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`;
}

/** A whole page. @param body HTML */
export function page(
  language: Locale,
  { title, path, body }: { title: string; path: string; body: string },
): string {
  const other = language === "en" ? "he" : "en";
  const t = texts[language];
  return `<!doctype html>
<html lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg"><title>${escapeHtml(title)} · Pro Talent</title><style>${style}</style></head>
<body><main>
<header><strong>Pro Talent</strong><a href="${escapeHtml(path)}?lang=${other}" lang="${other}" hreflang="${other}">${t.otherLanguage}</a></header>
<h1>${escapeHtml(title)}</h1>
<p class="test" role="note">${escapeHtml(t.testPage)}</p>
${body}
</main></body></html>`;
}

/** An amount as it is written in a language. */
export function shownMoney({ amount, currency }: Money, language: Locale): string {
  const format = new Intl.NumberFormat(language === "he" ? "he-IL" : "en-US", {
    style: "currency",
    currency,
  });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
