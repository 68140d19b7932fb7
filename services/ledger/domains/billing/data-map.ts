import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { entitledUntil } from "./read-models.ts";

/** What billing stores of account holders. */
export const billingDataMap = defineDataMap({
  activity: {
    id: "billing",
    name: { en: "Plans and payments", he: "מסלולים ותשלומים" },
    purpose: {
      en: "Charging for a plan, giving access to it, and mails about payments and renewals",
      he: "חיוב על מסלול, מתן גישה אליו והודעות דואר על תשלומים וחידושים",
    },
    basis: "contract",
    subjects: ["account-holders"],
    recipients: ["payment-provider", "mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.billing_entitlement": {
        fields: { until: "personal" },
        retention: { clock: "ended", enforcedBy: { by: "event", type: "SubscriptionEnded" } },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "code", code: entitledUntil },
      },
      "ledger.billing_parked": {
        retention: { clock: "settled", enforcedBy: { by: "event", type: "AccountReleased" } },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "references-only" },
      },
      "ledger.billing_reference": {
        retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "references-only" },
      },
    },
    mail: {
      "services/ledger/domains/billing/mails/billing-mails.ts": {
        fields: { recipient: "personal", plan: "personal", amount: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
  },
});
