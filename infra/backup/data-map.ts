import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { type DataMap, defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { listSets, purgeExpired } from "./purge.ts";
import { startSchedule } from "./schedule.ts";

/** Of a set, unless the environment says otherwise. */
const { overlapDays: keptDays } = readKeyPeriods({}, "LEDGER");

/** Encrypted copies of every store, and what a restore of an older one has to erase again. */
export const backupDataMaps: readonly DataMap[] = [
  defineDataMap({
    activity: {
      id: "backup",
      name: { en: "Backups", he: "גיבויים" },
      purpose: {
        en: "Restoring what a failure destroyed, without what was erased meanwhile",
        he: "שחזור מה שתקלה השמידה, בלי מה שנמחק בינתיים",
      },
      basis: "legitimate-interest",
      subjects: ["account-holders", "correspondents", "subscribers", "visitors", "link-visitors"],
      recipients: [],
    },
    assets: {
      backup: {
        backups: {
          fields: { archive: "sealed", segment: "sealed" },
          retention: {
            clock: "recorded",
            after: { count: keptDays, unit: "day" },
            enforcedBy: { by: "code", code: startSchedule },
          },
          eraser: { by: "key", code: purgeExpired },
          exporter: { by: "copy-of", asset: "ledger.event" },
          scanner: { by: "keys-gone", code: listSets },
        },
        "erasure journal": {
          fields: { subjectIds: "reference", accountId: "reference", visitorIds: "reference" },
          retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
          eraser: { by: "unlinked", from: "ledger.subject" },
          exporter: { by: "references-only" },
          scanner: { by: "references-only" },
        },
      },
    },
  }),
];
