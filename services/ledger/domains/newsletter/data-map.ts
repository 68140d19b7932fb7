import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { newsletterHeld } from "./held-newsletter.ts";

const mailed = {
  fields: { recipient: "personal", topics: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "ledger.newsletter_subscriber" },
  scanner: { by: "not-stored" },
} as const;

/** What the newsletter stores of its subscribers. */
export const newsletterDataMap = defineDataMap({
  activity: {
    id: "newsletter",
    name: { en: "Newsletter", he: "ידיעון" },
    purpose: {
      en: "Sending the newsletter to those who confirmed that they want it",
      he: "משלוח הידיעון למי שאישרו שהם רוצים בו",
    },
    basis: "consent",
    subjects: ["subscribers"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.newsletter_subscriber": {
        retention: {
          clock: "person-erased",
          enforcedBy: { by: "event", type: "SubscriberErased" },
        },
        eraser: { by: "event", type: "SubscriberErased" },
        exporter: { by: "code", code: newsletterHeld.collect, textsBy: "person" },
      },
      "ledger.issue_delivery": {
        fields: { settled_at: "personal" },
        retention: {
          clock: "settled",
          after: retentionPeriods.issueDeliveries,
          enforcedBy: { by: "job", job: "ledger.forget-records" },
        },
        eraser: { by: "unlinked", from: "ledger.newsletter_subscriber" },
        exporter: { by: "code", code: newsletterHeld.collect, textsBy: "person" },
      },
      // Texts of the site.
      "ledger.issue_content": {
        fields: { content: "none" },
        retention: { clock: "platform-closed", enforcedBy: { by: "no-person" } },
      },
      "ledger.newsletter_issue": {
        fields: { slug: "none", topics: "none" },
        retention: { clock: "platform-closed", enforcedBy: { by: "no-person" } },
      },
    },
    mail: {
      "services/ledger/domains/newsletter/mails/newsletter-mails.ts": mailed,
      "services/ledger/domains/newsletter/issue/compose-mail.ts": mailed,
    },
  },
});
