import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { locales } from "@pro-talent/schemas/primitives/locale";
import { legalDocumentNames, legalDocuments } from "@pro-talent/schemas/site/legal-documents";
import { expect, it } from "vitest";

it.each(legalDocumentNames)("the hashes of %s are those of the texts that it shows", (name) => {
  // When this fails, a text has changed: state its hash and a new version, and keep the text of the former one
  // (`web/prerender/legal-versions.test.tsx`).
  const hashes = locales.map((language) => {
    const texts = new URL(`../../i18n/${language}/${name}.json`, import.meta.url);
    return [language, createHash("sha256").update(readFileSync(texts)).digest("hex")];
  });
  expect(legalDocuments[name].textHash).toEqual(Object.fromEntries(hashes));
});
