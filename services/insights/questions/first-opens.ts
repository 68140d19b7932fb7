import { DeviceClass } from "@pro-talent/schemas/analytics/row";
import { z } from "zod";

import { defineQuestion, Ms } from "../ask.ts";
import { ownerOpens, type OwnerParams } from "./owner-opens.ts";

/** The first open of each link, of those first opened at or after `since`. */
export const firstOpens = defineQuestion<OwnerParams & { since: string }>()({
  name: "first-opens",
  sql: `SELECT
      link_id AS linkId,
      toUnixTimestamp64Milli(min(at)) AS firstAt,
      argMin(country, (at, event_id)) AS firstCountry,
      argMin(device, (at, event_id)) AS firstDevice
    FROM ${ownerOpens}
    WHERE is_open
    GROUP BY linkId
    HAVING min(at) >= {since:DateTime64(3, 'UTC')}
    ORDER BY firstAt, linkId`,
  row: z.object({
    linkId: z.uuid(),
    firstAt: Ms,
    firstCountry: z.string(),
    firstDevice: DeviceClass,
  }),
});
