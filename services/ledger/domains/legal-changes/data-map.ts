import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { noticesOf } from "./changes.ts";
import { holderOf } from "./holders.ts";

/** What is stored of notices of changed terms and policy. */
export const legalChangesDataMap = defineDataMap({
  activity: {
    id: "legal-changes",
    name: { en: "Changes of terms and policy", he: "שינויים בתנאים ובמדיניות" },
    purpose: {
      en: "Giving each account holder 30 days' notice of a material change, and proving it",
      he: "מתן הודעה של 30 יום לבעלי החשבון לפני שינוי מהותי, והוכחתה",
    },
    basis: "legal-obligation",
    subjects: ["account-holders"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.change_notice": {
        retention: {
          clock: "account-deleted",
          enforcedBy: { by: "event", type: "ChangeNoticeEnded" },
        },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "references-only" },
        scanner: { by: "code", code: noticesOf },
      },
      "ledger.legal_change": {
        fields: { change: "none" },
        retention: { clock: "platform-closed", enforcedBy: { by: "no-person" } },
      },
      "ledger.legal_holder": {
        retention: {
          clock: "account-deleted",
          enforcedBy: { by: "event", type: "AccountClosed" },
        },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "references-only" },
        scanner: { by: "code", code: holderOf },
      },
    },
    mail: {
      "services/ledger/domains/legal-changes/mails.ts": {
        fields: { recipient: "personal", effective_on: "personal", summary: "none" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
  },
});
