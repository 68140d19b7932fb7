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
      en: "381b38f16ebc76b00fa2897d7fa2caa9437addfc5f75d4dec98312883e085982",
      he: "553df3bf1a5506af578df0f5a0d55eeaf009f5a0fd3dad0732eccb6e1d5088b8",
    },
  },
};
