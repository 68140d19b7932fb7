import type { CvDocument } from "@pro-talent/schemas/studio/document";
import type { mergeDocuments } from "@pro-talent/schemas/studio/merge";

type Profile = CvDocument["profile"];
/** What the documents that are edited have in common. */
export type EditedDocument = Pick<CvDocument, "language" | "sections"> & {
  readonly profile: Omit<Profile, "email" | "phone"> & Partial<Pick<Profile, "email" | "phone">>;
};

/** A value of a document, as JSON has it. */
export type Json = Parameters<typeof mergeDocuments>[0];
/** Keys and ids from the root, as a merge names them: `sections/s1/entries/e2/role`. */
export type Path = string;

type Entry = Json & { readonly id: string };
const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEntry = (value: Json): value is Entry => isRecord(value) && typeof value["id"] === "string";

const split = (path: Path): { key: string; rest: Path } => {
  const end = path.indexOf("/");
  return end < 0 ? { key: path, rest: "" } : { key: path.slice(0, end), rest: path.slice(end + 1) };
};

/** The value at a path; undefined when nothing is there. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  if (path === "" || value === undefined) return value;
  const { key, rest } = split(path);
  if (Array.isArray(value))
    return valueAt(
      value.find((one) => isEntry(one) && one.id === key),
      rest,
    );
  return isRecord(value) ? valueAt(value[key], rest) : undefined;
}

/**
 * The same value with another one at a path; everything beside the path is the same object, so that what shows it
 * need not be drawn again. `change` receives undefined where nothing is, and removes by returning it.
 */
export function changedAt(
  value: Json,
  path: Path,
  change: (value: Json | undefined) => Json | undefined,
): Json {
  const { key, rest } = split(path);
  const next = (inner: Json | undefined): Json | undefined => {
    if (rest === "") return change(inner);
    return inner === undefined ? undefined : changedAt(inner, rest, change);
  };
  if (Array.isArray(value)) {
    const known = value.some((one) => isEntry(one) && one.id === key);
    const changed = value.flatMap((one) => {
      if (!isEntry(one) || one.id !== key) return [one];
      const after = next(one);
      return after === undefined ? [] : [after];
    });
    const added = known ? undefined : next(undefined);
    return added === undefined ? changed : [...changed, added];
  }
  if (!isRecord(value)) return value;
  const after = next(value[key]);
  return after === undefined ? value : { ...value, [key]: after };
}

/**
 * The same document with another value at a path. Changes at paths keep the shape of a document; the server parses
 * every document that it is sent, so that no schema is loaded in the browser.
 */
export const changed = <Document extends Json>(
  document: Document,
  path: Path,
  change: (value: Json | undefined) => Json | undefined,
): Document =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above; the tests parse what the edits make
  changedAt(document, path, change) as Document;
