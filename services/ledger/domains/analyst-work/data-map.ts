import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { savedWorkHeld } from "./held-work.ts";

/** What is stored of the saved work of analysts. What they wrote is sealed with the events. */
export const analystWorkDataMap = defineDataMap({
  activity: {
    id: "analyst-work",
    name: { en: "Saved work of analysts", he: "עבודה שמורה של אנליסטים" },
    purpose: {
      en: "Keeping queries and dashboards of analysts, sharing them with a role, and mailing them",
      he: "שמירת שאילתות ולוחות של אנליסטים, שיתופם עם בעלי תפקיד ומשלוחם בדואר",
    },
    basis: "legitimate-interest",
    subjects: ["staff"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.saved_work": {
        fields: { created_at: "personal", changed_at: "personal", archived_at: "personal" },
        retention: { clock: "holder-removes", enforcedBy: { by: "event", type: "WorkErased" } },
        eraser: { by: "event", type: "WorkErased" },
        exporter: { by: "code", code: savedWorkHeld.collect, textsBy: "person" },
      },
      "ledger.analyst_delivery": {
        retention: {
          clock: "holder-removes",
          enforcedBy: { by: "event", type: "DeliveryRemoved" },
        },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "code", code: savedWorkHeld.collect, textsBy: "person" },
      },
    },
    mail: {
      "services/ledger/domains/analyst-work/deliveries/mail.ts": {
        fields: { recipient: "personal", title: "personal", figures: "none" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
  },
});
