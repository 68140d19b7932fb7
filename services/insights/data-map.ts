import { type DataMap, defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { exportOpens } from "./export-opens.ts";

const answered = {
  fields: { opens: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "link_opens" },
  scanner: { by: "not-stored" },
} as const;

/**
 * The service stores nothing; it answers owners about opens of their links.
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
];
