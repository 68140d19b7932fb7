import { z } from "zod";

import { Locale } from "../primitives/locale.ts";
import { legalDocumentNames, legalDocuments } from "./legal-documents.ts";

/** Proof that a document was accepted: which one, as it was shown. */
export const AcceptedDocument = z.object({
  document: z.enum(legalDocumentNames),
  language: Locale,
  /** The day of its last update. */
  version: z.iso.date(),
  /** SHA-256 of its text. */
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AcceptedDocument = z.infer<typeof AcceptedDocument>;

/** What is accepted now: the texts as they are shown, in this language. */
export const acceptedDocuments = (language: Locale): AcceptedDocument[] =>
  legalDocumentNames.map((document) => {
    const { version, textHash } = legalDocuments[document];
    return { document, language, version, textHash: textHash[language] };
  });
