import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

/** What is stored of notices of changed terms and policy. */
export const legalChangesDataMap = defineDataMap({
  activity: {
    id: "legal-changes",
    name: { en: "Changes of terms and policy", he: "שינויים בתנאים ובמדיניות" },
    purpose: {
      en: "Giving account holders and subscribers 30 days' notice of a material change, and proving it",
      he: "מתן הודעה של 30 יום לבעלי חשבון ולמנויי הידיעון לפני שינוי מהותי, והוכחתה",
    },
    basis: "legal-obligation",
    subjects: ["account-holders", "subscribers"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.change_notice": {
        retention: {
          clock: "person-erased",
          enforcedBy: { by: "event", type: "ChangeNoticeEnded" },
        },
        eraser: { by: "unlinked", from: "ledger.subject" },
        exporter: { by: "references-only" },
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
      },
      "ledger.legal_subscriber": {
        retention: {
          clock: "person-erased",
          enforcedBy: { by: "event", type: "SubscriberErased" },
        },
        eraser: { by: "unlinked", from: "ledger.newsletter_subscriber" },
        exporter: { by: "references-only" },
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
