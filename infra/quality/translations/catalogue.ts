import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { parseDocument } from "yaml";

/** One text of one language: `consent:banner.title` without its plural ending. */
export type Entry = { key: string; form: PluralForm | undefined; text: string };
export type PluralForm = "zero" | "one" | "two" | "few" | "many" | "other";
export type Catalogue = { entries: Entry[]; problems: string[] };

const PLURAL = /^(?<base>.+)_(?<form>zero|one|two|few|many|other)$/u;

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPluralForm(value: string | undefined): value is PluralForm {
  return ["zero", "one", "two", "few", "many", "other"].includes(value ?? "");
}

/** The entries of one nested table, and what is not text in it. */
function flatten(table: Record<string, unknown>, prefix: string): Catalogue {
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const [name, value] of Object.entries(table)) {
    const path = prefix.endsWith(":") ? `${prefix}${name}` : `${prefix}.${name}`;
    if (typeof value === "string") {
      const groups = PLURAL.exec(path)?.groups;
      const form = groups?.["form"];
      entries.push({
        key: groups?.["base"] ?? path,
        form: isPluralForm(form) ? form : undefined,
        text: value,
      });
    } else if (isTable(value)) {
      const inner = flatten(value, path);
      entries.push(...inner.entries);
      problems.push(...inner.problems);
    } else {
      problems.push(`${path} is not a text`);
    }
  }
  return { entries, problems };
}

/** Reads `<folder>/<namespace>.json` files. A key written twice is a problem, not a silent last wins. */
export function readCatalogue(folder: string): Catalogue {
  const catalogue: Catalogue = { entries: [], problems: [] };
  if (!existsSync(folder)) return { entries: [], problems: [`no catalogue at ${folder}`] };
  for (const file of globSync("*.json", { cwd: folder }).toSorted()) {
    const document = parseDocument(readFileSync(join(folder, file), "utf8"), { uniqueKeys: true });
    const table: unknown = document.toJS();
    catalogue.problems.push(...document.errors.map((error) => `${file}: ${error.message}`));
    if (!isTable(table)) {
      catalogue.problems.push(`${file} is not a table of texts`);
      continue;
    }
    const { entries, problems } = flatten(table, `${basename(file, ".json")}:`);
    catalogue.entries.push(...entries);
    catalogue.problems.push(...problems);
  }
  if (catalogue.entries.length === 0) catalogue.problems.push(`no text in ${folder}`);
  return catalogue;
}
