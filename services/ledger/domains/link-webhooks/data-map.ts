import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { webhooksHeld } from "./webhooks.ts";

/** What webhooks of first opens store of the owners of links. */
export const linkWebhooksDataMap = defineDataMap({
  activity: {
    id: "link-webhooks",
    name: { en: "Webhooks of shared links", he: "הודעות אוטומטיות על קישורים" },
    purpose: {
      en: "Reporting first opens of links to a server that their owner names",
      he: "דיווח על פתיחות ראשונות של קישורים לשרת שבעל הקישור מציין",
    },
    basis: "contract",
    subjects: ["account-holders", "link-visitors"],
    recipients: ["link-owner"],
  },
  assets: {
    postgres: {
      "ledger.link_webhook": {
        fields: { created_at: "personal", paused: "personal" },
        retention: { clock: "holder-removes", enforcedBy: { by: "event", type: "WebhookErased" } },
        eraser: { by: "event", type: "WebhookErased" },
        exporter: { by: "code", code: webhooksHeld.collect, textsBy: "person" },
      },
    },
  },
});
