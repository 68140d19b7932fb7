import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { applicationsHeld } from "./held-applications.ts";
import { readFileOf, removeFile } from "./stored-files.ts";

/** What the tracker stores of applicants. */
export const applicationsDataMap = defineDataMap({
  activity: {
    id: "applications",
    name: { en: "Job applications", he: "מועמדויות לעבודה" },
    purpose: {
      en: "Keeping track of a holder's job applications, and reminding of what is due",
      he: "מעקב אחר המועמדויות של בעל החשבון, ותזכורות במועדן",
    },
    basis: "contract",
    subjects: ["account-holders"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.application": {
        fields: {
          created_at: "personal",
          changed_at: "personal",
          archived_at: "personal",
          notes: "personal",
        },
        retention: {
          clock: "holder-removes",
          enforcedBy: { by: "event", type: "ApplicationErased" },
        },
        eraser: { by: "event", type: "ApplicationErased" },
        exporter: { by: "code", code: applicationsHeld.collect, textsBy: "person" },
      },
      "ledger.application_reminder": {
        fields: { local_time: "personal", due: "personal", done: "personal" },
        retention: {
          clock: "holder-removes",
          enforcedBy: { by: "event", type: "ApplicationErased" },
        },
        eraser: { by: "event", type: "ApplicationErased" },
        exporter: { by: "code", code: applicationsHeld.collect, textsBy: "person" },
      },
    },
    mail: {
      "services/ledger/domains/applications/reminders/mail.ts": {
        fields: { recipient: "personal", application: "personal", time: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
    files: {
      "services/ledger/domains/applications/stored-files.ts": {
        fields: { name: "reference", content: "sealed" },
        retention: { clock: "holder-removes", enforcedBy: { by: "code", code: removeFile } },
        eraser: { by: "rows", code: removeFile },
        exporter: { by: "code", code: readFileOf },
      },
    },
    export: {
      "GET /api/applications/:applicationId/files/:fileId": {
        fields: { content: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "services/ledger/domains/applications/stored-files.ts" },
        scanner: { by: "not-stored" },
      },
      "GET /api/applications/export/:format": {
        fields: { content: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
  },
});
