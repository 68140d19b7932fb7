import type { Application, Stage } from "@pro-talent/schemas/applications/application";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { stringify } from "csv-stringify/sync";

import { stageTitles } from "./stages.ts";
import { contactFields, contactTitle, ownColumns, words } from "./words.ts";

/** What a spreadsheet would compute; with apostrophes in front, what looks like our own mark. */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;
const safe = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);

/** A cell without the apostrophe that an export put before what a spreadsheet would compute. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

/**
 * Applications as a table (RFC 4180), with the mark by which Excel reads UTF-8. An import reads the same
 * applications from it, except for what was sent, notes, files and reminders.
 */
export function writeCsv(
  applications: readonly Application[],
  stages: readonly Stage[],
  language: Locale,
): string {
  const { columns, per } = words[language];
  const titleOf = stageTitles(stages, language);
  const contacts = Math.max(0, ...applications.map(({ details }) => details.contacts.length));
  const numbers = [...Array(contacts).keys()];
  const head = [
    ...ownColumns.map((name) => columns[name]),
    ...numbers.flatMap((index) =>
      contactFields.map((field) => contactTitle(language, index + 1, field)),
    ),
  ];
  const rows = applications.map(({ details, stageId, createdAt, stageSince, archivedAt }) => {
    const { salary, contacts: people } = details;
    const cells: Readonly<Record<(typeof ownColumns)[number], string>> = {
      company: details.company,
      role: details.role,
      stage: titleOf.get(stageId) ?? "",
      place: details.place,
      source: details.source,
      jobUrl: details.jobUrl,
      salaryFrom: salary?.from?.toString() ?? "",
      salaryTo: salary?.to?.toString() ?? "",
      currency: salary?.currency ?? "",
      per: salary === null ? "" : per[salary.per],
      deadline: details.deadline ?? "",
      appliedOn: details.appliedOn ?? "",
      added: createdAt.slice(0, 10),
      stageSince: stageSince.slice(0, 10),
      archived: archivedAt?.slice(0, 10) ?? "",
    };
    const contactCells = numbers.flatMap((index) =>
      contactFields.map((field) => people[index]?.[field] ?? ""),
    );
    return [...ownColumns.map((name) => cells[name]), ...contactCells].map(safe);
  });
  return stringify([head, ...rows], { bom: true, record_delimiter: "windows" });
}
