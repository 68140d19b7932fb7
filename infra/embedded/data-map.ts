import { type DataMap, defineDataMap } from "@pro-talent/schemas/primitives/data-map";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { forgetLogs } from "./log-files.ts";
import { openMailCatcher } from "./mail/mail-catcher.ts";

/** What one machine holds beside the stores: its logs and traces, and mails that were caught instead of sent. */
export const embeddedDataMaps: readonly DataMap[] = [
  defineDataMap({
    activity: {
      id: "one-machine",
      name: { en: "Logs, traces and caught mails", he: "יומנים, עקבות ודואר שנלכד" },
      purpose: {
        en: "Finding faults; reading mails on a machine that sends none",
        he: "איתור תקלות; קריאת הודעות במחשב שאינו שולח דואר",
      },
      basis: "legitimate-interest",
      subjects: ["account-holders", "correspondents", "subscribers"],
      recipients: [],
    },
    assets: {
      log: {
        "service log": {
          retention: {
            clock: "recorded",
            after: retentionPeriods.logs,
            enforcedBy: { by: "code", code: forgetLogs },
          },
        },
        traces: {
          retention: {
            clock: "recorded",
            after: retentionPeriods.traces,
            enforcedBy: { by: "configuration", file: "infra/observability/tempo.yml" },
          },
        },
      },
      files: {
        "caught mails": {
          fields: { source: "personal" },
          retention: {
            clock: "recorded",
            after: retentionPeriods.caughtMails,
            enforcedBy: { by: "code", code: openMailCatcher },
          },
          eraser: { by: "expiry", code: openMailCatcher },
          exporter: { by: "copy-of", asset: "services/ledger/domains/privacy/mails.ts" },
          // A mail that was sent has left the product: this is the mailbox of its recipient.
          scanner: { by: "not-stored" },
        },
      },
    },
  }),
];
