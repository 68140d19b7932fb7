import type { Run } from "@pro-talent/schemas/studio/runs";

import { changed, type Json } from "../../documents/edit/document-at.ts";
import type { Entry } from "../../documents/edit/part-words.ts";
import type { CvDocument } from "../cv-queries.ts";

/** A field that a file has filled. */
export type Leaf = {
  path: string;
  /** The name of the field, by which it is labelled. */
  name: string;
} & (
  | { kind: "line" | "month"; value: string }
  | { kind: "rich"; value: readonly Run[] }
  | { kind: "items"; value: readonly string[] }
);
export type LeafGroup = { path: string; sectionId: string | null; leaves: readonly Leaf[] };

const months = ["start", "end", "date"];

function entryLeaves(entry: Entry, path: string): Leaf[] {
  return Object.entries(entry).flatMap(([name, value]): Leaf[] => {
    const at = `${path}/${name}`;
    if (name === "id" || value === "") return [];
    if (typeof value === "string")
      return [{ path: at, name, kind: months.includes(name) ? "month" : "line", value }];
    if (name === "items" && "items" in entry)
      return entry.items.length === 0
        ? []
        : [{ path: at, name, kind: "items", value: entry.items }];
    if (name === "bullets" && "bullets" in entry)
      return entry.bullets.map(({ id, text }) => ({
        path: `${at}/${id}/text`,
        name: "bullet",
        kind: "rich" as const,
        value: text,
      }));
    const runs = richOf(entry, name);
    return runs.length === 0 ? [] : [{ path: at, name, kind: "rich", value: runs }];
  });
}

function richOf(entry: Entry, name: string): readonly Run[] {
  if (name === "text" && "text" in entry) return entry.text;
  return name === "summary" && "summary" in entry ? entry.summary : [];
}

const profileNames = ["fullName", "headline", "email", "phone", "place"] as const;

/** Everything that a document states, by profile and entries. */
export function leafGroups({ profile, sections }: CvDocument): LeafGroup[] {
  const own = profileNames.flatMap((name): Leaf[] =>
    profile[name] === ""
      ? []
      : [{ path: `profile/${name}`, name, kind: "line", value: profile[name] }],
  );
  const links = profile.links.map(({ id, url, label }): Leaf => ({
    path: `profile/links/${id}/url`,
    name: label || "links",
    kind: "line",
    value: url,
  }));
  const entries = sections.flatMap((section): LeafGroup[] =>
    section.entries.map((entry: Entry) => {
      const path = `sections/${section.id}/entries/${entry.id}`;
      return { path, sectionId: section.id, leaves: entryLeaves(entry, path) };
    }),
  );
  const groups = [{ path: "profile", sectionId: null, leaves: [...own, ...links] }, ...entries];
  return groups.filter(({ leaves }) => leaves.length > 0);
}

/** The part of a list that a skipped field belongs to: a point or a link without its text is nothing. */
const wholeOf = (path: string): string | undefined =>
  /^(?<whole>.*\/bullets\/[^/]+)\/text$/u.exec(path)?.groups?.["whole"] ??
  /^(?<whole>profile\/links\/[^/]+)\/url$/u.exec(path)?.groups?.["whole"];

const emptied = (value: Json | undefined): Json => (typeof value === "string" ? "" : []);

/** The document without the fields that were skipped; entries and sections without any field are left out, too. */
export function withoutSkipped(document: CvDocument, skipped: ReadonlySet<string>): CvDocument {
  let rest = document;
  for (const path of skipped) {
    const whole = wholeOf(path);
    rest =
      whole === undefined ? changed(rest, path, emptied) : changed(rest, whole, () => undefined);
  }
  const filled = new Set(leafGroups(rest).map(({ path }) => path));
  for (const section of rest.sections)
    for (const { id } of section.entries) {
      const path = `sections/${section.id}/entries/${id}`;
      if (!filled.has(path)) rest = changed(rest, path, () => undefined);
    }
  return {
    ...rest,
    sections: rest.sections.filter(({ entries }) => entries.length > 0),
  };
}
