import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { HeldRecord, HeldSection, HeldValue } from "@pro-talent/schemas/privacy/held-data";

import type { HeldFile, HeldTable } from "../../../held.ts";
import { packageTexts } from "./package-texts.ts";

export type PackageContent = {
  readonly requestId: string;
  readonly madeAt: Instant;
  readonly language: Locale;
  readonly timeZone: string;
  readonly sections: readonly HeldSection[];
  /** What the data is used for, from the record of processing activities. */
  readonly processing: readonly Activity[];
  /** Signed receipts of the person's decisions. */
  readonly receipts: readonly string[];
  /** What is too long for a section. */
  readonly tables: readonly HeldTable[];
  /** Files of the person, one after another; the names may be anything. */
  readonly files: AsyncIterable<HeldFile>;
};

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (sign) => escapes[sign] ?? "");

/** What a person wrote keeps its own direction. */
const isolated = (text: string): string => `<bdi>${escape(text)}</bdi>`;

const style = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { max-inline-size: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { line-height: 1.2; } h2 { margin-block-start: 2.5rem; border-block-end: 1px solid; }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 3fr; gap: 0.25rem 1rem; margin: 0;
  padding-block: 0.75rem; border-block-end: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
dt { opacity: 0.75; } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } }
`;

/** A use of the data, as pairs of a term and escaped text. */
function usePairs({ name, purpose, basis, recipients }: Activity, language: Locale) {
  const texts = packageTexts[language];
  const named = recipients.map((one) => texts.receivers[one]).join(", ");
  return [
    [texts.use, escape(name[language])],
    [texts.purpose, escape(purpose[language])],
    [texts.basis, escape(texts.bases[basis])],
    [texts.recipients, escape(named || texts.empty)],
  ] as const;
}

/** The page without scripts and without anything from elsewhere that a package opens with. */
export function readablePage(
  { language, timeZone, madeAt, sections, tables, processing }: PackageContent,
  files: readonly { readonly path: string }[],
): string {
  const texts = packageTexts[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
  const numbers = new Intl.NumberFormat(language);
  const date = (at: string): string => escape(format.format(Date.parse(at)));
  const valueOf = (value: HeldValue): string => {
    if ("text" in value) return value.text === "" ? escape(texts.empty) : isolated(value.text);
    if ("word" in value) return escape(texts.words[value.word]);
    if ("count" in value) return numbers.format(value.count);
    return "at" in value
      ? `<time datetime="${value.at}">${date(value.at)}</time>`
      : escape(texts.unreadable);
  };
  const list = (pairs: readonly (readonly [string, string])[]): string =>
    `<dl>${pairs.map(([term, value]) => `<dt>${escape(term)}</dt><dd>${value}</dd>`).join("")}</dl>`;
  const recordOf = (record: HeldRecord): string =>
    list(record.map((value) => [texts.fields[value.field], valueOf(value)]));
  const sectionOf = ({ section, records }: HeldSection): string =>
    `<h2>${escape(texts.sections[section])}</h2>${records.map(recordOf).join("\n")}`;
  const linkOf = ({ path }: { readonly path: string }): string => {
    const address = path.split("/").map(encodeURIComponent).join("/");
    return `<li><a href="${address}">${isolated(path.replace(/^files\//u, ""))}</a></li>`;
  };
  const linked = [...tables, ...files];
  const uses = processing.map((use) => list(usePairs(use, language)));
  return `<!doctype html>
<html lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(texts.title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escape(texts.title)}</h1>
<p>${escape(texts.made).replace("{{date}}", date(madeAt))}</p>
${texts.about.map((paragraph) => `<p>${escape(paragraph)}</p>`).join("\n")}
${sections.map(sectionOf).join("\n")}
${linked.length === 0 ? "" : `<h2>${escape(texts.files)}</h2><ul>${linked.map(linkOf).join("")}</ul>`}
<h2>${escape(texts.processing)}</h2>
${uses.join("\n")}
</body>
</html>
`;
}
