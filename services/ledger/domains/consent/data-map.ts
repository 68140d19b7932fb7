import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { findHistory } from "./read-models.ts";

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
        exporter: { by: "copy-of", asset: "ledger.consent_receipt" },
      },
      "ledger.consent_receipt": {
        fields: { method: "personal", purpose: "personal" },
        retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
        exporter: { by: "code", code: findHistory },
      },
    },
  },
});
