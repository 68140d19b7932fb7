import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { parse } from "yaml";

/** The texts of one language, by key: `consent:banner.title`, with the plural form as written. */
export type Catalogue = ReadonlyMap<string, string>;

function flatten(value: unknown, key: string): [key: string, text: string][] {
  if (typeof value === "string") return [[key, value]];
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${key} is not a text`);
  const prefix = key.endsWith(":") ? key : `${key}.`;
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, `${prefix}${name}`));
}

/**
 * Reads `<folder>/<namespace>.json` files.
 * @throws when there is no text, a value is not a text, or a key is written twice
 */
export function readCatalogue(folder: string): Catalogue {
  const entries = globSync("*.json", { cwd: folder }).flatMap((file) => {
    try {
      // JSON is YAML, and this parser refuses a repeated key instead of using the last one.
      return flatten(
        parse(readFileSync(join(folder, file), "utf8")),
        `${basename(file, ".json")}:`,
      );
    } catch (error) {
      throw new Error(`${folder}/${file}: ${String(error)}`, { cause: error });
    }
  });
  if (entries.length === 0) throw new Error(`no text in ${folder}`);
  return new Map(entries);
}
