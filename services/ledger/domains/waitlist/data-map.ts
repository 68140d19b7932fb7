import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { waitlistHeld } from "./places.ts";

/** What the waitlist stores of those who wait. */
export const waitlistDataMap = defineDataMap({
  activity: {
    id: "waitlist",
    name: { en: "Waitlist", he: "רשימת המתנה" },
    purpose: {
      en: "Offering accounts in the order of the requests",
      he: "הצעת חשבונות לפי סדר הבקשות",
    },
    basis: "consent",
    subjects: ["subscribers"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.waitlist_place": {
        fields: { invited: "personal", requested_at: "personal" },
        retention: {
          clock: "person-erased",
          enforcedBy: { by: "event", type: "SubscriberErased" },
        },
        eraser: { by: "event", type: "SubscriberErased" },
        exporter: { by: "code", code: waitlistHeld.collect, textsBy: "person" },
      },
    },
  },
});
