import { z } from "zod";

import { defineQuestion } from "../ask.ts";
import {
  type Filters,
  matchesFilters,
  ownerOpens,
  type OwnerParams,
  peopleIf,
} from "./owner-opens.ts";

/** Opens by hours, days or weeks that begin at `edges`; of each link, or of all together. */
export const series = defineQuestion<
  OwnerParams & Filters & { edges: readonly number[]; ofEach: number }
>()({
  name: "series",
  sql: `SELECT
      if({ofEach:UInt8} = 1, link_id, toUUID('00000000-0000-0000-0000-000000000000')) AS linkId,
      toUInt32(roundDown(toUnixTimestamp(at), {edges:Array(UInt32)})) AS edge,
      count() AS opens,
      ${peopleIf("1")} AS people
    FROM ${ownerOpens}
    WHERE is_open AND ${matchesFilters}
    GROUP BY linkId, edge`,
  row: z.object({ linkId: z.guid(), edge: z.int(), opens: z.int(), people: z.int() }),
});
