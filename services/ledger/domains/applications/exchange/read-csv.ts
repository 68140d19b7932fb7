import { randomUUID } from "node:crypto";

import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import type { Day } from "@pro-talent/schemas/primitives/calendar";
import { parse } from "csv-parse/sync";

import { type Columns, columnsOf } from "./csv-columns.ts";
import { type DateOrder, dateOrder, readDay } from "./dates.ts";
import { type Findings, type Imported, openFindings } from "./findings.ts";
import { readSalary, readSalaryParts } from "./salaries.ts";
import { comparable, type Field } from "./words.ts";
import { withoutApostrophe } from "./write-csv.ts";

/** Rows above the titles, such as the name of a sheet. */
const rowsAboveMax = 20;
/** Columns beyond are not read. */
const columnsMax = 300;
const recordCharsMax = 100_000;
const delimiters = [",", ";", "\t"] as const;
/** Titles of LinkedIn's tables, whose dates are American. */
const linkedInTitles: readonly string[] = ["question and answers", "saved date"];

type Application = Imported["applications"][number];
type StageOf = (name: string) => string | undefined;
type Row = { readonly cells: readonly string[]; readonly row: number };

/**
 * Reads a table of applications: RFC 4180 with any of the usual delimiters. Columns are known by their titles,
 * in English and Hebrew, as other trackers, LinkedIn's archive and people's own tables have them.
 * @param stageOf finds a stage by its name
 * @returns undefined for a text that is no table with a column of companies
 */
export function readCsv(text: string, stageOf: StageOf): Imported | undefined {
  const rows = rowsOf(text) ?? [];
  const isHead = (row: readonly string[]): boolean => columnsOf(row).fields.has("company");
  const head = rows.slice(0, rowsAboveMax).findIndex(isHead);
  if (head < 0) return undefined;
  const columns = columnsOf(rows[head] ?? []);
  const stated = rows
    .map((cells, index) => ({ cells: cells.map(withoutApostrophe), row: index + 1 }))
    .filter(({ cells, row }) => row > head + 1 && cells.some((cell) => cell.trim() !== ""));
  const findings = openFindings();
  const applications: Application[] = [];
  const reading = { columns, findings, order: orderOf(columns, stated), stageOf };
  for (const one of stated.slice(0, limit.applicationsMax)) {
    const application = applicationOf(one, reading);
    if (application !== undefined) applications.push(application);
  }
  const tooMany = stated[limit.applicationsMax];
  if (tooMany !== undefined)
    findings.add({ row: tooMany.row, column: "" }, "no-place", tooMany.cells.join(", "));
  reportOthers(columns, stated, findings);
  return { applications, findings: findings.findings };
}

function rowsOf(text: string): string[][] | undefined {
  const stated = /^sep=([,;\t])\r?\n/iu.exec(text);
  const delimiter = stated?.[1] ?? usualDelimiter(text);
  // A quote that is never closed is no quote.
  for (const quote of ['"', false] as const) {
    try {
      return parse(stated === null ? text : text.slice(stated[0].length), {
        delimiter,
        quote,
        record_delimiter: ["\r\n", "\n", "\r"],
        relax_quotes: true,
        relax_column_count: true,
        max_record_size: recordCharsMax,
        to: limit.applicationsMax + rowsAboveMax + 1,
        on_record: (cells) => cells.slice(0, columnsMax),
      });
    } catch {
      // Without quotes it may be a table.
    }
  }
  return undefined;
}

/** The delimiter that the beginning has most of, outside quotes. */
function usualDelimiter(text: string): string {
  const beginning = text.slice(0, 4096).replaceAll(/"[^"]*"/gu, "");
  const count = (sign: string): number => beginning.split(sign).length;
  return delimiters.toSorted((one, other) => count(other) - count(one))[0] ?? ",";
}

function orderOf({ titles, fields }: Columns, rows: readonly Row[]): DateOrder {
  if (titles.some((title) => linkedInTitles.includes(comparable(title)))) return "month-first";
  const places = [fields.get("deadline"), fields.get("appliedOn")].filter((at) => at !== undefined);
  return dateOrder(rows.flatMap(({ cells }) => places.map((place) => cells[place] ?? "")));
}

type Reading = {
  readonly columns: Columns;
  readonly findings: Findings;
  readonly order: DateOrder;
  readonly stageOf: StageOf;
};

/** What some trackers write for nothing. */
const nothing: readonly string[] = ["", "n/a", "na", "none", "null", "-", "–", "—"];
const isNothing = (text: string): boolean => nothing.includes(text.trim().toLowerCase());

/** Undefined for a row without a company. */
function applicationOf(
  { cells, row }: Row,
  { columns, findings, order, stageOf }: Reading,
): Application | undefined {
  const cell = (field: Field): string => cells[columns.fields.get(field) ?? -1] ?? "";
  const at = (field: Field) => ({
    row,
    column: columns.titles[columns.fields.get(field) ?? -1] ?? "",
  });
  const line = (field: Field, most?: number): string => findings.line(cell(field), at(field), most);
  const day = (field: "deadline" | "appliedOn"): Day | null => {
    if (isNothing(cell(field))) return null;
    const found = readDay(cell(field), order);
    if (found === undefined) findings.add(at(field), "not-a-date", cell(field));
    return found ?? null;
  };
  const company = line("company");
  if (company === "") {
    findings.add(at("company"), "no-company", cells.filter(Boolean).join(", "));
    return undefined;
  }
  const stageId = cell("stage").trim() === "" ? undefined : stageOf(cell("stage"));
  if (stageId === undefined && !isNothing(cell("stage")))
    findings.add(at("stage"), "unknown-stage", cell("stage"));
  const details = {
    company,
    role: line("role"),
    place: line("place"),
    source: line("source"),
    jobUrl: line("jobUrl", limit.urlCharsMax),
    salary: salaryOf(cell, at, findings),
    deadline: day("deadline"),
    appliedOn: day("appliedOn"),
    contacts: contactsOf({ cells, row }, columns, findings),
  };
  const note = isNothing(cell("note")) ? "" : findings.lines(cell("note"), at("note"));
  return { details, ...(stageId !== undefined && { stageId }), ...(note !== "" && { note }) };
}

function salaryOf(
  cell: (field: Field) => string,
  at: (field: Field) => { readonly row: number; readonly column: string },
  findings: Findings,
) {
  const stated = { currency: cell("currency"), per: cell("per") };
  const parts = { from: cell("salaryFrom"), to: cell("salaryTo"), ...stated };
  if (!isNothing(cell("salary"))) {
    const salary = readSalary(cell("salary"), stated);
    if (salary === undefined) findings.add(at("salary"), "not-a-salary", cell("salary"));
    return salary ?? null;
  }
  if ([parts.from, parts.to, parts.currency].every(isNothing)) return null;
  const salary = readSalaryParts(parts);
  if (salary === undefined)
    findings.add(at("salaryFrom"), "not-a-salary", [parts.from, parts.to].join(" – "));
  return salary ?? null;
}

function contactsOf({ cells, row }: Row, { titles, contacts }: Columns, findings: Findings) {
  return contacts.flatMap((places) => {
    const line = (field: "name" | "role" | "email" | "phone" | "note"): string => {
      const place = places.get(field) ?? -1;
      return findings.line(cells[place] ?? "", { row, column: titles[place] ?? "" });
    };
    const name = line("name");
    const [role, email, phone, note] = [line("role"), line("email"), line("phone"), line("note")];
    return name === "" ? [] : [{ contactId: randomUUID(), name, role, email, phone, note }];
  });
}

/** Once for each column that an application has no field for, where it first says something. */
function reportOthers({ titles, others }: Columns, rows: readonly Row[], findings: Findings): void {
  for (const place of others) {
    const first = rows.find(({ cells }) => !isNothing(cells[place] ?? ""));
    if (first === undefined) continue;
    const at = { row: first.row, column: titles[place] ?? "" };
    findings.add(at, "no-place", first.cells[place] ?? "");
  }
}
