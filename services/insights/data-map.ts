import { type DataMap, defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { exportOpens } from "./export-opens.ts";

const answered = {
  fields: { opens: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "link_opens" },
  scanner: { by: "not-stored" },
} as const;

/** Rows under pseudonyms that lead to no one without keys that the services alone have. */
const underPseudonyms = {
  fields: { rows: "reference" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "references-only" },
  scanner: { by: "not-stored" },
} as const;

/**
 * The service stores nothing; it answers owners about opens of their links, and analysts about the use of the site.
 * @internal used by the check of all data maps alone
 */
export const insightsDataMaps: readonly DataMap[] = [
  defineDataMap({
    activity: {
      id: "reports-of-opens",
      name: { en: "Reports of opens", he: "דוחות על פתיחות" },
      purpose: {
        en: "Tables and a live list of opens for the owner of a link",
        he: "טבלאות ורשימה חיה של פתיחות לבעל הקישור",
      },
      basis: "legitimate-interest",
      subjects: ["link-visitors"],
      recipients: ["link-owner"],
    },
    assets: {
      export: {
        "GET /api/insights/links/:linkId/opens.csv": answered,
        "GET /api/insights/live": answered,
        "GET /internal/insights/held/:accountId": {
          ...answered,
          exporter: { by: "code", code: exportOpens },
        },
      },
    },
  }),
  defineDataMap({
    activity: {
      id: "analyses-of-use",
      name: { en: "Analyses of the use of the site", he: "ניתוחי השימוש באתר" },
      purpose: {
        en: "Answers to analysts about visits, under pseudonyms made anew for each analyst",
        he: "תשובות לאנליסטים על ביקורים, בשמות בדויים שנוצרים מחדש לכל אנליסט",
      },
      basis: "consent",
      subjects: ["visitors"],
      recipients: [],
    },
    assets: {
      export: {
        "POST /api/console/analyst/queries.csv": underPseudonyms,
        "POST /api/console/analyst/queries.ndjson": underPseudonyms,
        "POST /api/console/analyst/queries.parquet": underPseudonyms,
        "POST /api/console/analyst/queries.stream": underPseudonyms,
        "POST /api/v1/analytics/queries.csv": underPseudonyms,
        "POST /api/v1/analytics/queries.ndjson": underPseudonyms,
        "POST /api/v1/analytics/queries.parquet": underPseudonyms,
        "POST /api/v1/analytics/queries.stream": underPseudonyms,
      },
    },
  }),
];
