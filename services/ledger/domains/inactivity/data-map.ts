import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

/** What is stored of accounts that are not used. */
export const inactivityDataMap = defineDataMap({
  activity: {
    id: "inactive-accounts",
    name: { en: "Accounts that are not used", he: "חשבונות שאינם בשימוש" },
    purpose: {
      en: "Deleting accounts after three years without use, after two notices",
      he: "מחיקת חשבונות אחרי שלוש שנים ללא שימוש, לאחר שתי הודעות",
    },
    basis: "legal-obligation",
    subjects: ["account-holders"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.inactive_account": {
        retention: {
          clock: "account-deleted",
          enforcedBy: { by: "event", type: "InactivityEnded" },
        },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "references-only" },
      },
    },
    mail: {
      "services/ledger/domains/inactivity/mails.ts": {
        fields: { recipient: "personal", active_on: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
  },
});
