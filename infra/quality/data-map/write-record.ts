import { readFileSync } from "node:fs";

import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import type {
  ProcessingRecord,
  RecordedAsset,
} from "@pro-talent/schemas/privacy/processing-record";
import { z } from "zod";

type Activity = ProcessingRecord["activities"][number];
type Handling =
  | RecordedAsset["eraser" | "exporter" | "scanner"]
  | RecordedAsset["retention"]["enforcedBy"];
type Retention = RecordedAsset["retention"];

const Word = z.string();
const Words = z.record(z.string(), Word);
/** Of the page that shows the record. */
const Texts = z.object({
  title: Word,
  lead: Word,
  law: Word,
  general: z.record(Word, z.object({ title: Word, body: Word })),
  purpose: Word,
  basisTitle: Word,
  subjectsTitle: Word,
  recipientsTitle: Word,
  noRecipients: Word,
  missing: Word,
  until: Word,
  after: Word,
  table: Words,
  basis: Words,
  subjects: Words,
  recipients: Words,
  stores: Words,
  classes: Words,
  clocks: Words,
  enforcement: Words,
  eraser: Words,
  exporter: Words,
  scanner: Words,
  laws: Words,
});
type Texts = z.infer<typeof Texts>;

function textsIn(language: Locale): Texts {
  const file = new URL(`../../../web/i18n/${language}/processing.json`, import.meta.url);
  return Texts.parse(JSON.parse(readFileSync(file, "utf8")));
}

const filled = (text: string, parts: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => parts[name] ?? "");

/** The record of processing activities as a document, in one language, with the page's texts. */
export function recordDocument({ activities }: ProcessingRecord, language: Locale): string {
  const texts = textsIn(language);
  const others = locales
    .filter((other) => other !== language)
    .map((other) => `[${textsIn(other).title}](processing-record.${other}.md)`);
  const general = Object.values(texts.general).map(({ title, body }) => `- ${title}: ${body}`);
  const parts = activities.map((activity) => activityPart(activity, texts, language));
  return `# ${texts.title}

<!-- Made from the data maps: npm test -- infra/quality/data-map -u -->

${texts.lead} ${texts.law} ${others.join(" ")}

${general.join("\n")}

${parts.join("\n")}`;
}

function activityPart(activity: Activity, texts: Texts, language: Locale): string {
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const recipients = activity.recipients.map((one) => texts.recipients[one] ?? one);
  const subjects = activity.subjects.map((one) => texts.subjects[one] ?? one);
  const columns = ["asset", "fields", "retention", "eraser", "exporter", "scanner"];
  const rows = activity.assets.map((asset) => {
    const cells = [
      `${texts.stores[asset.store]} \`${asset.name}\``,
      fieldsText(asset, texts),
      retentionText(asset.retention, texts, language),
      ...(["eraser", "exporter", "scanner"] as const).map((kind) =>
        handlingText(asset[kind], texts[kind], texts),
      ),
    ];
    return `| ${cells.join(" | ")} |\n`;
  });
  return `## ${activity.name[language]}

- ${texts.purpose}: ${activity.purpose[language]}
- ${texts.basisTitle}: ${texts.basis[activity.basis]}
- ${texts.subjectsTitle}: ${list.format(subjects)}
- ${texts.recipientsTitle}: ${recipients.length === 0 ? texts.noRecipients : list.format(recipients)}

| ${columns.map((column) => texts.table[column]).join(" | ")} |
| ${columns.map(() => "---").join(" | ")} |
${rows.join("")}`;
}

function fieldsText({ fields }: RecordedAsset, texts: Texts): string {
  const byClass = Map.groupBy(fields, (field) => field.class);
  return [...byClass]
    .map(([of, own]) => `${texts.classes[of]}: ${own.map(({ name }) => `\`${name}\``).join(", ")}`)
    .join("; ");
}

function retentionText(retention: Retention, texts: Texts, language: Locale): string {
  const end = handlingText(retention.enforcedBy, texts.enforcement, texts);
  return `${periodText(retention, texts, language)}. ${end}`;
}

function periodText({ clock, after }: Retention, texts: Texts, language: Locale): string {
  const named = texts.clocks[clock] ?? clock;
  if (after === undefined) return filled(texts.until, { clock: named });
  const style = { style: "unit", unit: after.unit, unitDisplay: "long" } as const;
  const period = new Intl.NumberFormat(language, style).format(after.count);
  return filled(texts.after, { clock: named, period });
}

function handlingText(
  handling: Handling,
  ways: Readonly<Record<string, string>>,
  { missing, laws }: Texts,
): string {
  if (handling === null) return `**${missing}**`;
  const { by, detail } = handling;
  const named = detail === null ? "" : ` ${laws[detail] ?? `\`${detail}\``}`;
  return `${ways[by]}${named}`;
}
