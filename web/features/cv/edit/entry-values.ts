import type { Section } from "@pro-talent/schemas/studio/document";
import { plainOf } from "@pro-talent/schemas/studio/runs";

export type Entry = Section["entries"][number];

/** Texts of an entry by the names of its fields; empty where its kind has none. */
export const lineOf = (entry: Entry, name: string): string => {
  const fields: Readonly<Record<string, unknown>> = entry;
  const value = fields[name];
  return typeof value === "string" ? value : "";
};
const titleFields = ["role", "degree", "field", "name", "title"] as const;
const besideFields = ["organisation", "institution", "issuer", "publisher", "subtitle"] as const;

/** By what an entry is recognised: its title, and what stands beside it. */
export function entryTitle(entry: Entry): { title: string; beside: string } {
  const first = (names: readonly string[]): string =>
    names.map((name) => lineOf(entry, name)).find((text) => text !== "") ?? "";
  const items = "items" in entry ? entry.items.join(", ") : "";
  const text = "text" in entry ? plainOf(entry.text) : "";
  const [title, beside] = [first(titleFields), first(besideFields)];
  if (title === "") return { title: beside || items || text, beside: "" };
  return { title, beside: beside || items || lineOf(entry, "fluency") };
}
