import type { Section } from "@pro-talent/schemas/studio/document";
import { plainOf } from "@pro-talent/schemas/studio/runs";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";

/** The title that a section was given, or the usual one. */
export function useSectionTitle() {
  const { t } = useTranslation("cv");
  return ({ kind, title }: Pick<Section, "kind" | "title">): string => title || t(`kinds.${kind}`);
}

export type Entry = Section["entries"][number];

/** Texts of an entry by the names of its fields; empty where its kind has none. */
export const lineOf = (entry: Entry, name: string): string => {
  const fields: Readonly<Record<string, unknown>> = entry;
  const value = fields[name];
  return typeof value === "string" ? value : "";
};
// The name first: projects have a role, too.
const titleFields = ["name", "role", "degree", "field", "title"] as const;
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

/** A period in words of the page: `Mar 2019 – present`. */
export function useMonthWords() {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language, {
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  const words = (month: string): string => {
    if (month === "present") return t("fields.now");
    return month.length > 4 ? format.format(Date.parse(`${month}-01T00:00:00Z`)) : month;
  };
  return (start: string, end: string): string =>
    [start, end]
      .filter((month) => month !== "")
      .map(words)
      .join(" – ");
}
