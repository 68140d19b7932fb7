import { useTranslation } from "react-i18next";

import type { EditedDocument } from "./document-at.ts";
import { entryTitle, useSectionTitle } from "./part-words.ts";

const profileFields = [
  "fullName",
  "headline",
  "email",
  "phone",
  "place",
  "links",
  "photo",
] as const;
const entryFields = [
  "role",
  "organisation",
  "institution",
  "degree",
  "field",
  "grade",
  "place",
  "start",
  "end",
  "date",
  "url",
  "name",
  "fluency",
  "issuer",
  "publisher",
  "summary",
  "title",
  "subtitle",
  "items",
  "bullets",
  "pictures",
] as const;

/** What the files call otherwise. */
const ofFiles: Readonly<Record<string, string>> = { dates: "date", link: "url", note: "summary" };

/** Names a field of a document in words: `Experience, Nurse: place`. */
export function usePathWords(document: EditedDocument) {
  const { t } = useTranslation("cv");
  const titleOf = useSectionTitle();
  const fieldWords = (name: string): string | undefined => {
    const known = entryFields.find((one) => one === (ofFiles[name] ?? name));
    return known === undefined ? undefined : t(`fields.${known}`);
  };
  return (path: string): string => {
    // Findings of files write dots, those of merges slashes.
    const [root = "", ...rest] = path.split(/[/.]/u);
    if (root === "profile") {
      const known = profileFields.find((one) => one === rest[0]);
      return known === undefined ? t("profile.title") : t(`profile.${known}`);
    }
    if (root === "page" || root === "look") return t("parts.look");
    const section = document.sections.find(({ id }) => id === rest[0]);
    if (section === undefined) return t("section.all");
    const [, ...below] = rest;
    const inEntries = below[0] === "entries" ? below.slice(1) : below;
    const entry = section.entries.find(({ id }) => id === inEntries[0]);
    const title = entry === undefined ? "" : entryTitle(entry).title;
    const field = fieldWords(inEntries[1] ?? "");
    const place = [titleOf(section), title].filter(Boolean).join(", ");
    return field === undefined ? place : t("fields.of", { place, field });
  };
}
