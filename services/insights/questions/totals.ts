import { z } from "zod";

import { defineQuestion, Ms } from "../ask.ts";
import {
  type Filters,
  matchesFilters,
  ownerOpens,
  type OwnerParams,
  peopleIf,
} from "./owner-opens.ts";

/** Counts of each link, of the time from `middle` on and of that before it. */
export const totals = defineQuestion<OwnerParams & Filters & { middle: string }>()({
  name: "totals",
  sql: `SELECT
      link_id AS linkId,
      at >= {middle:DateTime64(3, 'UTC')} AS isCurrent,
      countIf(is_open) AS opens,
      ${peopleIf("is_open")} AS people,
      countIf(exclusion = '' AND NOT is_open) AS fetched,
      countIf(exclusion != '') AS excluded,
      if(opens = 0, NULL, toUnixTimestamp64Milli(minIf(at, is_open))) AS firstAt,
      if(opens = 0, NULL, toUnixTimestamp64Milli(maxIf(at, is_open))) AS lastAt
    FROM ${ownerOpens}
    WHERE ${matchesFilters}
    GROUP BY linkId, isCurrent`,
  row: z.object({
    linkId: z.uuid(),
    isCurrent: z.int().transform(Boolean),
    opens: z.int(),
    people: z.int(),
    fetched: z.int(),
    excluded: z.int(),
    firstAt: Ms.nullable(),
    lastAt: Ms.nullable(),
  }),
});
export type TotalsRow = z.output<typeof totals.row>;
