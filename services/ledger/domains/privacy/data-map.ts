import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { readPackage, removePackages } from "./fulfil/access-package.ts";
import { requestsOf } from "./read-models.ts";

/** What privacy requests store of those who ask. */
export const privacyDataMap = defineDataMap({
  activity: {
    id: "privacy-requests",
    name: { en: "Privacy requests", he: "בקשות פרטיות" },
    purpose: {
      en: "Deciding and carrying out requests for access, correction and deletion, and proving it",
      he: "החלטה בבקשות עיון, תיקון ומחיקה, ביצוען ותיעודן",
    },
    basis: "legal-obligation",
    subjects: ["account-holders"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.privacy_request": {
        fields: { history: "personal", received_at: "personal", erase_at: "personal" },
        retention: { clock: "platform-closed" },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "code", code: requestsOf },
      },
    },
    mail: {
      "services/ledger/domains/privacy/mails.ts": {
        fields: { recipient: "personal", received_at: "personal", erase_at: "personal" },
        retention: { clock: "delivered" },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
    files: {
      // Values that a search plants to see whether it finds them.
      "services/ledger/domains/privacy/search/search-files.ts": {
        fields: { content: "none" },
        retention: { clock: "recorded", after: { count: 1, unit: "day" } },
      },
      "services/ledger/domains/privacy/fulfil/access-package.ts": {
        fields: { name: "reference", content: "sealed" },
        retention: { clock: "recorded", after: { count: 14, unit: "day" } },
        eraser: { by: "rows", code: removePackages },
        exporter: { by: "code", code: readPackage },
      },
    },
    export: {
      "GET /api/privacy/consents/:receiptId/receipt": {
        fields: { content: "personal" },
        retention: { clock: "delivered" },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
      "GET /api/privacy/requests/:requestId/package": {
        fields: { content: "personal" },
        retention: { clock: "delivered" },
        eraser: { by: "not-stored" },
        exporter: {
          by: "copy-of",
          asset: "services/ledger/domains/privacy/fulfil/access-package.ts",
        },
        scanner: { by: "not-stored" },
      },
    },
  },
});
