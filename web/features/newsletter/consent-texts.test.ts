import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import { expect, test } from "vitest";

import en from "../../i18n/en/newsletter.json" with { type: "json" };
import he from "../../i18n/he/newsletter.json" with { type: "json" };

test("what the forms ask to agree to is the newest text on record, in both languages", () => {
  const [newest] = newsletterConsentTexts;
  expect(newest?.text).toEqual({ en: en.consent.text, he: he.consent.text });
});

test("every text on record has a version of its own, the newest first", () => {
  const versions = newsletterConsentTexts.map(({ version }) => version);
  expect(new Set(versions).size).toBe(versions.length);
  expect(versions).toEqual(versions.toSorted().toReversed());
});
