import {
  earlierVersions,
  type LegalDocument,
  type LegalDocumentName,
  legalDocumentNames,
  legalDocuments,
} from "./legal-documents.ts";

/**
 * Documents that were in force before, the newest first. When a text changes, its entry in
 * `legal-documents.ts` moves here; the text stays readable at `/terms/versions/<version>`.
 * @internal compared with the texts that are kept by a test alone
 */
export const formerDocuments: Readonly<Record<LegalDocumentName, readonly LegalDocument[]>> = {
  terms: [],
  privacy: [],
};

/** Every document that was ever in force, and the version it had. */
export const documentsInForce: readonly {
  readonly name: LegalDocumentName;
  readonly version: string;
}[] = legalDocumentNames.flatMap((name) =>
  [legalDocuments[name].version, ...earlierVersions[name]].map((version) => ({ name, version })),
);
