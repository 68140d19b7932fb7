import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { HeldRecord, HeldSection, HeldValue } from "@pro-talent/schemas/privacy/held-data";

import { escape, htmlPage, isolated, termList } from "./html-page.ts";
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
  /** What the person uploaded; the names may be anything. */
  readonly files: readonly { readonly name: string; readonly content: Uint8Array }[];
};

/** The page without scripts and without anything from elsewhere that a package opens with. */
export function readablePage(
  { language, timeZone, madeAt, sections, processing }: PackageContent,
  files: readonly { readonly path: string }[],
): string {
  const texts = packageTexts[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
  const date = (at: string): string => escape(format.format(Date.parse(at)));
  const valueOf = (value: HeldValue): string => {
    if ("text" in value) return value.text === "" ? escape(texts.empty) : isolated(value.text);
    if ("word" in value) return escape(texts.words[value.word]);
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
    return `<li><a href="${address}">${isolated(path.slice("files/".length))}</a></li>`;
  };
  const uses = processing.map(({ name, purpose, basis, recipients }) =>
    termList([
      [texts.use, escape(name[language])],
      [texts.purpose, escape(purpose[language])],
      [texts.basis, escape(texts.bases[basis])],
      [
        texts.recipients,
        escape(recipients.map((one) => texts.receivers[one]).join(", ") || texts.empty),
      ],
    ]),
  );
  return htmlPage({
    language,
    title: texts.title,
    body: `<p>${escape(texts.made).replace("{{date}}", date(madeAt))}</p>
${texts.about.map((paragraph) => `<p>${escape(paragraph)}</p>`).join("\n")}
${sections.map(sectionOf).join("\n")}
${files.length === 0 ? "" : `<h2>${escape(texts.files)}</h2><ul>${files.map(linkOf).join("")}</ul>`}
<h2>${escape(texts.processing)}</h2>
${uses.join("\n")}`,
  });
}
