import type { Locale } from "../primitives/locale.ts";

/** The documents that are accepted when an account is opened. */
export const legalDocumentNames = ["terms", "privacy"] as const;

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
export const legalDocuments: Readonly<Record<(typeof legalDocumentNames)[number], LegalDocument>> =
  {
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
        en: "5ea7852a5cbc37988c70ce49ef55d5ffd0d9a4ced35283a02f21ca1c3690b0f3",
        he: "7cdd5ecfb2efa50ef0aefe587bb1a423f09cf6ca782df2d91258f871a67af266",
      },
    },
  };
