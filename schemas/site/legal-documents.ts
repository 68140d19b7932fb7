import type { Locale } from "../primitives/locale.ts";

/** The documents that are accepted when an account is opened. */
export const legalDocumentNames = ["terms", "privacy"] as const;

export type LegalDocumentName = (typeof legalDocumentNames)[number];

export type LegalDocument = {
  /** Day of the last change, which the page shows. */
  readonly version: string;
  /** SHA-256 of the texts of the page in each language (`web/i18n`), in hexadecimal. */
  readonly textHash: Readonly<Record<Locale, string>>;
};

/** Days of the last change. Apart from the hashes, which no page needs. */
export const legalVersions = { terms: "2026-11-22", privacy: "2026-11-23" } as const;

/** Versions that were in force before, the newest first; the documents are in `legal-history.ts`. */
export const earlierVersions: Readonly<Record<LegalDocumentName, readonly string[]>> = {
  terms: [],
  privacy: [],
};

/** Whether there are any. A constant of its own, so that pages carry no code for links that do not exist. */
export const hasEarlierVersions: boolean = false;

/**
 * The documents as they are shown now. These are accepted when an account is opened; the proof names version
 * and hash. A test of the pages fails when a text is another one.
 */
export const legalDocuments: Readonly<Record<LegalDocumentName, LegalDocument>> = {
  terms: {
    version: legalVersions.terms,
    textHash: {
      en: "35608755c95c5c80eaf3c2f7ad99f85f15c2139df6af31a8a72688c993b9892c",
      he: "8c204bf0d04e4d4fba3288f594733612c988c72087a496baa1f28727048f2443",
    },
  },
  privacy: {
    version: legalVersions.privacy,
    textHash: {
      en: "ffd616dacf0b9638c5992648c2b39774ff99ca3957f1f7599dd06a07aee86446",
      he: "887acc08773dd3297ce6097314c84995492b1300f8a27e333192d9a54354bd29",
    },
  },
};
