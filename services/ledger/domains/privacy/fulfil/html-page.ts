import type { Locale } from "@pro-talent/schemas/primitives/locale";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
export const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (sign) => escapes[sign] ?? "");

/** What a person wrote keeps its own direction. */
export const isolated = (text: string): string => `<bdi>${escape(text)}</bdi>`;

/** Terms with their values, which are HTML already. */
export const termList = (pairs: readonly (readonly [string, string])[]): string =>
  `<dl>${pairs.map(([term, value]) => `<dt>${escape(term)}</dt><dd>${value}</dd>`).join("")}</dl>`;

const style = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { max-inline-size: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { line-height: 1.2; } h2 { margin-block-start: 2.5rem; border-block-end: 1px solid; }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 3fr; gap: 0.25rem 1rem; margin: 0;
  padding-block: 0.75rem; border-block-end: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
dt { opacity: 0.75; } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } }
`;

type Page = { readonly language: Locale; readonly title: string; readonly body: string };

/** A page without scripts and without anything from elsewhere. */
export const htmlPage = ({ language, title, body }: Page): string => `<!doctype html>
<html lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escape(title)}</h1>
${body}
</body>
</html>
`;
