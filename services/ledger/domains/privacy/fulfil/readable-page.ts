import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { HeldRecord, HeldSection, HeldValue } from "@pro-talent/schemas/privacy/held-data";
import type { Withheld } from "@pro-talent/schemas/privacy/redaction";

import type { HeldFile, HeldTable } from "../../../held.ts";
import { escape, htmlPage, isolated, termList } from "./html-page.ts";
import { packageTexts } from "./package-texts.ts";

export type PackageContent = {
  readonly requestId: string;
  readonly madeAt: Instant;
  readonly language: Locale;
  readonly timeZone: string;
  readonly sections: readonly HeldSection[];
  /** What is left out because it is about other people. */
  readonly withheld: readonly Withheld[];
  /** What the data is used for, from the record of processing activities. */
  readonly processing: readonly Activity[];
  /** Signed receipts of the person's decisions. */
  readonly receipts: readonly string[];
  /** What is too long for a section. */
  readonly tables: readonly HeldTable[];
  /** Files of the person, one after another; the names may be anything. */
  readonly files: AsyncIterable<HeldFile>;
};

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

/** What was left out, by store and reason with its law, and how to object. */
function withheldPart(withheld: readonly Withheld[], language: Locale): string {
  if (withheld.length === 0) return "";
  const texts = packageTexts[language];
  const numbers = new Intl.NumberFormat(language);
  const line = ({ store, reason, count }: Withheld) =>
    `<li>${escape(texts.sections[store])}: ${numbers.format(count)} · ${escape(texts.withheld.reasons[reason])} (${escape(texts.withheld.laws[reason])})</li>`;
  return `<h2>${escape(texts.withheld.title)}</h2>
${texts.withheld.about.map((paragraph) => `<p>${escape(paragraph)}</p>`).join("\n")}
<ul>${withheld.map(line).join("")}</ul>`;
}

/** The page without scripts and without anything from elsewhere that a package opens with. */
export function readablePage(
  { language, timeZone, madeAt, sections, withheld, tables, processing }: PackageContent,
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
  const recordOf = (record: HeldRecord): string =>
    termList(record.map((value) => [texts.fields[value.field], valueOf(value)]));
  const sectionOf = ({ section, records }: HeldSection): string =>
    `<h2>${escape(texts.sections[section])}</h2>${records.map(recordOf).join("\n")}`;
  const linkOf = ({ path }: { readonly path: string }): string => {
    const address = path.split("/").map(encodeURIComponent).join("/");
    return `<li><a href="${address}">${isolated(path.replace(/^files\//u, ""))}</a></li>`;
  };
  const linked = [...tables, ...files];
  const uses = processing.map((use) => termList(usePairs(use, language)));
  return htmlPage({
    language,
    title: texts.title,
    body: `<p>${escape(texts.made).replace("{{date}}", date(madeAt))}</p>
${texts.about.map((paragraph) => `<p>${escape(paragraph)}</p>`).join("\n")}
${withheldPart(withheld, language)}
${sections.map(sectionOf).join("\n")}
${linked.length === 0 ? "" : `<h2>${escape(texts.files)}</h2><ul>${linked.map(linkOf).join("")}</ul>`}
<h2>${escape(texts.processing)}</h2>
${uses.join("\n")}`,
  });
}
