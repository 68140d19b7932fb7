import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { contactHeld } from "./contact-messages.ts";

const mailed = {
  fields: { recipient: "personal", name: "personal", message: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "ledger.event" },
  scanner: { by: "not-stored" },
} as const;

/** What the contact form stores of those who write. */
export const contactDataMap = defineDataMap({
  activity: {
    id: "contact",
    name: { en: "Contact messages", he: "פניות" },
    purpose: { en: "Answering those who write to us", he: "מענה לפונים אלינו" },
    basis: "legitimate-interest",
    subjects: ["correspondents"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.contact_inbox": {
        fields: { fact: "personal", status: "personal" },
        retention: {
          clock: "settled",
          after: { count: contactLimits.settledMonths, unit: "month" },
          enforcedBy: { by: "timer", timer: "contact.expire-message" },
        },
        eraser: { by: "event", type: "ContactDetailsErased" },
        // Nothing shows that who wrote is whose address they gave; and who writes may write about others.
        exporter: { by: "code", code: contactHeld.collect, textsBy: "others" },
      },
    },
    mail: {
      "services/ledger/domains/contact/mails/acknowledgement-mail.ts": mailed,
      "services/ledger/domains/contact/mails/notification-mail.ts": mailed,
    },
  },
});
