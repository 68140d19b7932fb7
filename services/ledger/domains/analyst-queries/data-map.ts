import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { queriesHeld } from "./held-queries.ts";

/** What is stored of the queries of analysts. Their texts are sealed with the events. */
export const analystQueriesDataMap = defineDataMap({
  activity: {
    id: "analyst-queries",
    name: { en: "Queries of analysts", he: "שאילתות של אנליסטים" },
    purpose: {
      en: "Showing which analyst asked what about the use of the site",
      he: "תיעוד מי מהאנליסטים שאל מה על השימוש באתר",
    },
    basis: "legal-obligation",
    subjects: ["staff"],
    recipients: [],
  },
  assets: {
    postgres: {
      "ledger.analyst_query": {
        fields: { views: "personal", outcome: "personal", ran_at: "personal" },
        retention: {
          clock: "recorded",
          after: retentionPeriods.analystQueries,
          enforcedBy: { by: "timer", timer: "analyst-queries.erase-text" },
        },
        eraser: { by: "law", law: "israel-data-security", code: { sql: "ledger.shred_subject" } },
        exporter: { by: "code", code: queriesHeld.collect, textsBy: "person" },
      },
    },
  },
});
