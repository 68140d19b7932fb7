import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";
import { parse } from "csv-parse/sync";
import { z } from "zod";

import { openFindings, type Read } from "./findings.ts";
import type { Imported } from "./json-resume.ts";
import { monthIn } from "./periods.ts";
import { type Unpacked, unpacked } from "./unpack.ts";

/** A row of a table, by the titles of its columns in lower case, and where it is. */
type Row = {
  readonly of: Readonly<Record<string, string>>;
  readonly at: string;
  readonly id: string;
};

const Rows = z.array(z.record(z.string(), z.string()));

/** Tables of the archive that say something about a person's career. */
const tables = {
  profile: "profile.csv",
  summary: "profile summary.csv",
  emails: "email addresses.csv",
  phones: "phonenumbers.csv",
  positions: "positions.csv",
  education: "education.csv",
  projects: "projects.csv",
  skills: "skills.csv",
  languages: "languages.csv",
  certifications: "certifications.csv",
  volunteering: "volunteering.csv",
  publications: "publications.csv",
  honors: "honors.csv",
  courses: "courses.csv",
  patents: "patents.csv",
  organizations: "organizations.csv",
  recommendations: "recommendations_received.csv",
} as const;
type Table = keyof typeof tables;
/** A CV has no fields of its own for these. */
const withoutPlace = ["honors", "courses", "patents", "organizations"] as const satisfies Table[];

const baseName = (path: string): string => (path.split("/").at(-1) ?? "").toLowerCase();
const known: ReadonlySet<string> = new Set(Object.values(tables));
/** By which an archive of LinkedIn is recognised. */
const distinctive: readonly string[] = [tables.profile, tables.positions];

/** Whether these are names of the files of LinkedIn's archive, basic or complete. */
export const isLinkedIn = (names: readonly string[]): boolean =>
  names.some((name) => distinctive.includes(baseName(name)));

/** The tables of an archive that are of use. */
export const unpackedTables = (content: Uint8Array): Unpacked =>
  unpacked(content, (name) => known.has(baseName(name)));

/**
 * Reads the tables of LinkedIn's archive ("Get a copy of your data"). Columns are found by their titles, which
 * are English in every archive.
 * @throws when a table is no CSV
 */
export function importLinkedIn(files: Unpacked, language: Locale): Imported {
  const { findings, ...read } = openFindings();
  const rows = (table: Table): readonly Row[] => rowsOf(files, table, read);
  for (const table of withoutPlace)
    for (const { of, at } of rows(table))
      read.dropped(at, "no-place", Object.values(of).filter(Boolean).join(", "));
  const [profile] = rows("profile");
  const summary = rows("summary")[0]?.of["profile summary"] ?? profile?.of["summary"] ?? "";
  const sections = [
    sectionOf(
      "summary",
      paragraphsOf(read, "profile", summary, "Profile.csv").map(({ id, text }) => ({ id, text })),
    ),
    sectionOf(
      "experience",
      rows("positions").map((row) => positionOf(read, row, "title")),
    ),
    sectionOf(
      "education",
      rows("education").map((row) => educationOf(read, row)),
    ),
    sectionOf(
      "projects",
      rows("projects").map((row) => projectOf(read, row)),
    ),
    sectionOf("skills", skillsOf(read, rows("skills"))),
    sectionOf(
      "languages",
      rows("languages").map(({ id, of, at }) => ({
        id,
        name: read.line(of["name"], at),
        fluency: read.line(of["proficiency"], at),
      })),
    ),
    sectionOf(
      "certificates",
      rows("certifications").map((row) => certificateOf(read, row)),
    ),
    sectionOf(
      "volunteering",
      rows("volunteering").map((row) => positionOf(read, row, "role")),
    ),
    sectionOf(
      "publications",
      rows("publications").map((row) => publicationOf(read, row)),
    ),
  ];
  const document = readCvDocument({
    version: 1,
    language,
    page: {},
    profile: profileOf(read, profile, rows("emails"), rows("phones")),
    sections: sections.filter(({ entries }) => entries.length > 0),
  });
  return { document, findings: findings() };
}

const sectionOf = (kind: string, entries: object[]) => ({ id: kind, kind, entries });

function rowsOf(files: Unpacked, table: Table, read: Read): readonly Row[] {
  const name = Object.keys(files).find((path) => baseName(path) === tables[table]);
  const content = name === undefined ? undefined : files[name];
  if (name === undefined || content === undefined) return [];
  const parsed: unknown = parse(Buffer.from(content), {
    bom: true,
    columns: (titles: string[]) => titles.map((title) => title.trim().toLowerCase()),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  const file = name.split("/").at(-1) ?? name;
  return read.atMost(Rows.parse(parsed), "entriesMax", file).map((of, index) => ({
    of,
    at: `${file} ${index + 2}`,
    id: `${table}-${index}`,
  }));
}

function profileOf(
  read: Read,
  profile: Row | undefined,
  emails: readonly Row[],
  phones: readonly Row[],
) {
  const { of = {}, at = "Profile.csv" } = profile ?? {};
  const primary = emails.find((row) => row.of["primary"]?.toLowerCase() === "yes") ?? emails[0];
  for (const row of emails.filter((one) => one !== primary))
    read.dropped(row.at, "too-many", row.of["email address"]);
  for (const row of phones.slice(1)) read.dropped(row.at, "too-many", row.of["number"]);
  return {
    fullName: read.line([of["first name"], of["last name"]].filter(Boolean).join(" "), at),
    headline: read.line(of["headline"], at),
    email: read.line(primary?.of["email address"], at),
    phone: read.line(phones[0]?.of["number"], at),
    place: read.line(of["geo location"] || of["address"], at),
    links: read
      .atMost(sitesOf(of), "profileLinksMax", at)
      .map(({ label, url }, index) => ({ id: `link${index}`, label, url: read.address(url, at) })),
  };
}

/** One of `[PORTFOLIO:https://…,OTHER:https://…]`. */
const site = /(?:([A-Z_]+):)?((?:https?:\/\/)?[^\s,[\]]+\.[^\s,[\]]+)/g;

function sitesOf(of: Row["of"]): { label: string; url: string }[] {
  const sites = [...(of["websites"] ?? "").matchAll(site)].map(([, kind = "", url = ""]) => ({
    label: siteLabels[kind] ?? "",
    url,
  }));
  const [handle = ""] = (of["twitter handles"] ?? "").replaceAll(/[[\]@\s]/g, "").split(",");
  return handle === "" ? sites : [...sites, { label: "X", url: `https://x.com/${handle}` }];
}
const siteLabels: Readonly<Record<string, string>> = { BLOG: "Blog", PORTFOLIO: "Portfolio" };

/** LinkedIn's month or year, such as `Jan 2020` or `2020`. */
function month(read: Read, { of, at }: Row, column: string): string {
  const text = of[column] ?? "";
  const found = monthIn(text.replace(/^(\d{4})-(\d\d)-\d\d$/, "$1-$2"));
  if (text !== "" && found === "") read.dropped(at, "not-a-date", text);
  return found === "present" ? "" : found;
}

/** In LinkedIn, a position that has begun and has no end is held now. */
function period(read: Read, row: Row, [first, last]: readonly [string, string]) {
  const start = month(read, row, first);
  const end = month(read, row, last);
  const goesOn = start !== "" && (row.of[last] ?? "") === "";
  return { start, end: goesOn ? "present" : end };
}
const started = ["started on", "finished on"] as const;

/** A description as paragraphs: its lines, without the signs that people type for a list. */
function paragraphsOf(read: Read, id: string, description: string | undefined, at: string) {
  const lines = (description ?? "")
    .split(/\r?\n|(?<=[.!?;])\s+(?=[•●▪*])|\s(?=•\s)/u)
    .map((line) => line.replace(/^\s*[•●▪◦*–-]\s*/u, "").trim())
    .filter((line) => line !== "");
  return read
    .atMost(lines, "bulletsMax", at)
    .map((line, index) => ({ id: `${id}-b${index}`, text: read.paragraph(line, at) }));
}

function positionOf(read: Read, row: Row, role: string) {
  const { of, at, id } = row;
  if (of["cause"]) read.dropped(at, "no-place", of["cause"]);
  return {
    id,
    role: read.line(of[role], at),
    organisation: read.line(of["company name"] ?? of["organization"], at),
    place: read.line(of["location"], at),
    ...period(read, row, started),
    bullets: paragraphsOf(read, id, of["description"], at),
  };
}

function educationOf(read: Read, row: Row) {
  const { of, at, id } = row;
  // `Bachelor of Science - BS, Statistics` in one column.
  const [degree = "", ...field] = (of["degree name"] ?? "").split(/,\s+/);
  const { start, end } = period(read, row, ["start date", "end date"]);
  const notes = [of["notes"], of["activities"]].filter(Boolean).join("\n");
  return {
    id,
    institution: read.line(of["school name"], at),
    degree: read.line(degree, at),
    field: read.line(field.join(", ") || of["field of study"], at),
    start,
    // An end that is left out is not stated here: studies are rarely ongoing for years.
    end: end === "present" ? "" : end,
    bullets: paragraphsOf(read, id, notes, at),
  };
}

const projectOf = (read: Read, row: Row) => ({
  id: row.id,
  name: read.line(row.of["title"], row.at),
  url: read.address(row.of["url"] ?? "", row.at),
  ...period(read, row, started),
  bullets: paragraphsOf(read, row.id, row.of["description"], row.at),
});

const skillsOf = (read: Read, rows: readonly Row[]): object[] =>
  rows.length === 0
    ? []
    : [{ id: "skills-0", name: "", items: rows.map(({ of, at }) => read.line(of["name"], at)) }];

function certificateOf(read: Read, row: Row) {
  const { of, at, id } = row;
  if (of["license number"]) read.dropped(at, "no-place", of["license number"]);
  return {
    id,
    name: read.line(of["name"], at),
    issuer: read.line(of["authority"], at),
    date: month(read, row, "started on") || month(read, row, "finished on"),
    url: read.address(of["url"] ?? "", at),
  };
}

const publicationOf = (read: Read, row: Row) => ({
  id: row.id,
  name: read.line(row.of["name"], row.at),
  publisher: read.line(row.of["publisher"], row.at),
  date: month(read, row, "published on"),
  url: read.address(row.of["url"] ?? "", row.at),
  summary: plainRuns(read.line(row.of["description"], row.at)),
});
