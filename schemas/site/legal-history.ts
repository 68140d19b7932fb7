import {
  type LegalDocument,
  type LegalDocumentName,
  legalDocumentNames,
  legalDocuments,
} from "./legal-documents.ts";

type PerDocument<Value> = Readonly<Record<LegalDocumentName, Value>>;

/**
 * The version that follows the one in force, named by the day before which it takes effect for no one. It
 * can be read from the release that states it, and is announced to people after that release.
 */
export const comingVersions: PerDocument<string | null> = { terms: null, privacy: null };

/**
 * Documents that were in force before, the newest first. When a text changes, its entry in
 * `legal-documents.ts` moves here; the text stays readable at `/terms/versions/<version>`.
 */
export const formerDocuments: PerDocument<readonly LegalDocument[]> = { terms: [], privacy: [] };

export type LegalVersion = {
  readonly name: LegalDocumentName;
  readonly version: string;
  readonly status: "coming" | "in-force" | "former";
};

/** The versions of a document that can be read, the newest first. */
export function versionsOf(
  name: LegalDocumentName,
  coming = comingVersions,
  former = formerDocuments,
): readonly LegalVersion[] {
  const next = coming[name];
  return [
    ...(next === null ? [] : [{ name, version: next, status: "coming" as const }]),
    { name, version: legalDocuments[name].version, status: "in-force" },
    ...former[name].map(({ version }) => ({ name, version, status: "former" as const })),
  ];
}

/** Every version of every document. */
export const allVersions = (): readonly LegalVersion[] =>
  legalDocumentNames.flatMap((name) => versionsOf(name));

/** The page that lists the versions of a document. */
export const versionsPath = (name: LegalDocumentName): string => `/${name}/versions`;

/** Where a version can be read, for as long as the site exists. */
export const versionPath = (name: LegalDocumentName, version: string): string =>
  `${versionsPath(name)}/${version}`;
