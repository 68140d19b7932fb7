import type { Section } from "@pro-talent/schemas/studio/document";

import { changed, type Json, type Path } from "./document-at.ts";

/** Changes a document; edits never change the document that they are given. */
export type Edit = <Document extends Json>(document: Document) => Document;

/** Puts a value in the place of another. */
export const put =
  (path: Path, value: Json): Edit =>
  (document) =>
    changed(document, path, () => value);

/** Puts something new into a list, behind the one with the id `after`, or at the end. */
export const add =
  (list: Path, item: Json & { id: string }, after?: string): Edit =>
  (document) =>
    changed(document, list, (value) => withAdded(value, item, after));

function withAdded(list: Json | undefined, item: Json, after: string | undefined): Json {
  const items: readonly Json[] = Array.isArray(list) ? list : [];
  const index = items.findIndex((one) => idOf(one) === after);
  return after === undefined || index < 0 ? [...items, item] : items.toSpliced(index + 1, 0, item);
}

const idOf = (value: Json): Json | undefined =>
  typeof value === "object" && value !== null && "id" in value ? value["id"] : undefined;

/** Removes one of a list. */
export const remove =
  (path: Path): Edit =>
  (document) =>
    changed(document, path, () => undefined);

/** Moves one of a list to a place, counted from 0; beyond an end it stays at that end. */
export const move =
  (list: Path, id: string, to: number): Edit =>
  (document) =>
    changed(document, list, (value) => {
      const items: readonly Json[] = Array.isArray(value) ? value : [];
      const item = items.find((one) => idOf(one) === id);
      if (item === undefined) return value;
      const others = items.filter((one) => one !== item);
      return others.toSpliced(Math.max(0, to), 0, item);
    });

/** An id for a part of a document. */
export const newId = (): string => crypto.randomUUID();

const position = () => ({
  role: "",
  organisation: "",
  place: "",
  start: "",
  end: "",
  url: "",
  bullets: [],
});
const blank = {
  summary: () => ({ text: [] }),
  experience: position,
  volunteering: position,
  education: () => ({
    institution: "",
    degree: "",
    field: "",
    grade: "",
    place: "",
    start: "",
    end: "",
    url: "",
    bullets: [],
  }),
  projects: () => ({ name: "", role: "", start: "", end: "", url: "", bullets: [] }),
  skills: () => ({ name: "", items: [] }),
  languages: () => ({ name: "", fluency: "" }),
  certificates: () => ({ name: "", issuer: "", date: "", url: "" }),
  publications: () => ({ name: "", publisher: "", date: "", url: "", summary: [] }),
  custom: () => ({ title: "", subtitle: "", place: "", start: "", end: "", url: "", bullets: [] }),
} as const satisfies Record<Section["kind"], () => Json>;

export type Kind = Section["kind"];
/** In the order in which they are offered. */
export const kinds = [
  "summary",
  "experience",
  "education",
  "projects",
  "skills",
  "languages",
  "certificates",
  "volunteering",
  "publications",
  "custom",
] as const satisfies readonly Kind[];

/** An entry without content. */
export const newEntry = (kind: Kind): Json & { id: string } => ({ id: newId(), ...blank[kind]() });

/** A section with one empty entry. */
export const newSection = (kind: Kind): Json & { id: string } => ({
  id: newId(),
  kind,
  title: "",
  shown: true,
  entries: [newEntry(kind)],
});

export const newBullet = (): Json & { id: string } => ({ id: newId(), text: [] });
