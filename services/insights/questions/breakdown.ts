import { Channel, DeviceClass } from "@pro-talent/schemas/analytics/row";
import { z } from "zod";

import { defineQuestion } from "../ask.ts";
import {
  type Filters,
  matchesFilters,
  ownerOpens,
  type OwnerParams,
  peopleIf,
} from "./owner-opens.ts";

const counted = { opens: z.int(), people: z.int() };

/** Opens by source, by device and by browser, in one pass; the most frequent first. */
export const breakdown = defineQuestion<OwnerParams & Filters>()({
  name: "breakdown",
  sql: `SELECT
      multiIf(grouping(device) = 0, 'device', grouping(browser) = 0, 'browser', 'source') AS part,
      source, channel, device, browser,
      count() AS opens,
      ${peopleIf("1")} AS people
    FROM ${ownerOpens}
    WHERE is_open AND ${matchesFilters}
    GROUP BY GROUPING SETS ((source, channel), (device), (browser))
    ORDER BY part, opens DESC, source, channel, device, browser
    LIMIT 50 BY part`,
  row: z.discriminatedUnion("part", [
    z.object({ part: z.literal("source"), source: z.string(), channel: Channel, ...counted }),
    z.object({ part: z.literal("device"), device: DeviceClass, ...counted }),
    z.object({ part: z.literal("browser"), browser: z.string(), ...counted }),
  ]),
});
