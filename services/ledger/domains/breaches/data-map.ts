import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

/** What the register of breaches stores. What is written about a breach is sealed with its events. */
export const breachesDataMap = defineDataMap({
  activity: {
    id: "breaches",
    name: { en: "Register of breaches", he: "מרשם אירועי אבטחה" },
    purpose: {
      en: "Recording breaches of personal data, and notifying of them",
      he: "תיעוד אירועי אבטחה במידע אישי והודעה עליהם",
    },
    basis: "legal-obligation",
    subjects: ["staff"],
    recipients: ["mail-provider"],
  },
  assets: {
    mail: {
      "services/ledger/domains/breaches/warnings.ts": {
        fields: { discovered_at: "none" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "not-stored" },
        scanner: { by: "not-stored" },
      },
    },
  },
});
