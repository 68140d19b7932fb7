import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";
import { packageDays } from "@pro-talent/schemas/privacy/clocks";

import { readPackage, removePackages } from "./fulfil/access-package.ts";
import { requestsOf } from "./read-models.ts";
import { searchFiles } from "./search/search-files.ts";

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
    subjects: ["account-holders", "subscribers", "correspondents"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.privacy_request": {
        fields: { history: "personal", received_at: "personal", erase_at: "personal" },
        retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "code", code: requestsOf },
      },
      "ledger.calendar_feed": {
        retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "references-only" },
      },
    },
    mail: {
      "services/ledger/domains/privacy/mails.ts": {
        fields: { recipient: "personal", received_at: "personal", erase_at: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
      "services/ledger/domains/privacy/form/form-mails.ts": {
        fields: { recipient: "personal", received_at: "personal", erase_at: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
      "services/ledger/domains/privacy/officer-mails.ts": {
        fields: { recipient: "personal", request_id: "reference" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "accounts.account" },
        scanner: { by: "not-stored" },
      },
    },
    files: {
      // Values that a search plants to see whether it finds them.
      "services/ledger/domains/privacy/search/search-files.ts": {
        fields: { content: "none" },
        retention: { clock: "ended", enforcedBy: { by: "code", code: searchFiles } },
      },
      "services/ledger/domains/privacy/fulfil/access-package.ts": {
        fields: { name: "reference", content: "sealed" },
        retention: {
          clock: "recorded",
          after: { count: packageDays, unit: "day" },
          enforcedBy: { by: "timer", timer: "privacy.package" },
        },
        eraser: { by: "rows", code: removePackages },
        exporter: { by: "code", code: readPackage },
      },
    },
    export: {
      // Numbers of requests and breaches, what ends and when.
      "GET /api/privacy/calendar/:token": {
        fields: { content: "reference" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "references-only" },
        scanner: { by: "not-stored" },
      },
      // Without personal data: ids, dates and numbers of one request.
      "GET /api/console/privacy/requests/:requestId/evidence": {
        fields: { content: "reference" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "references-only" },
        scanner: { by: "not-stored" },
      },
      "GET /api/privacy/consents/:receiptId/receipt": {
        fields: { content: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
      "GET /api/privacy/requests/:requestId/package": {
        fields: { content: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: {
          by: "copy-of",
          asset: "services/ledger/domains/privacy/fulfil/access-package.ts",
        },
        scanner: { by: "not-stored" },
      },
      "POST /api/privacy/form/package": {
        fields: { content: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
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
