import { createHash } from "node:crypto";

import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import type { AgreedText } from "@pro-talent/schemas/newsletter/events";
import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";

/** The proof of what was agreed to, and the words themselves where they are not the product's own. */
export type Agreement = { readonly agreed: AgreedText; readonly ownWords: string | null };

/** Finds the product's own words by comparing them whole; `language` is that of all other words. */
export function agreementOn(words: string, language: Locale): Agreement {
  const textHash = createHash("sha256").update(words, "utf8").digest("hex");
  for (const { version, text } of newsletterConsentTexts) {
    const spoken = locales.find((locale) => text[locale] === words);
    if (spoken !== undefined) {
      return { agreed: { language: spoken, version, textHash }, ownWords: null };
    }
  }
  return { agreed: { language, version: null, textHash }, ownWords: words };
}

/** The words of a proof, if the product knows them. */
export function knownWords({ version, language }: AgreedText): string | undefined {
  return newsletterConsentTexts.find((text) => text.version === version)?.text[language];
}
