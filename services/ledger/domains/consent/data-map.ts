import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { findHistory } from "./read-models.ts";
/**
 * The pseudonym of a visitor leads to them by the anonymous id alone, which their browser keeps: once their
 * visits are erased a decision names no one. It stays, so that a refusal is honoured and a consent can be
 * proven (GDPR, article 7 (1)).
 */
const unlinked = { eraser: { by: "unlinked", from: "events" } } as const;

/** What the decisions of visitors leave; the gate reads the current one. */
export const consentDataMap = defineDataMap({
  activity: {
    id: "consent",
    name: { en: "Consent", he: "הסכמה" },
    purpose: {
      en: "Collecting only with consent, and proving each decision",
      he: "איסוף בהסכמה בלבד והוכחת כל החלטה",
    },
    basis: "legal-obligation",
    subjects: ["visitors"],
    recipients: [],
  },
  assets: {
    postgres: {
      "ledger.consent_current": {
        retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
        ...unlinked,
        exporter: { by: "copy-of", asset: "ledger.consent_receipt" },
      },
      "ledger.consent_receipt": {
        fields: { method: "personal", purpose: "personal" },
        retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
        ...unlinked,
        exporter: { by: "code", code: findHistory },
      },
    },
  },
});
