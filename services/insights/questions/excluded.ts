import { exclusions } from "@pro-talent/schemas/links/opens";
import { z } from "zod";

import { defineQuestion, Ms } from "../ask.ts";
import { type Filters, matchesFilters, ownerOpens, type OwnerParams } from "./owner-opens.ts";

/** What was left out, by its reason. */
export const excluded = defineQuestion<OwnerParams & Filters>()({
  name: "excluded",
  sql: `SELECT exclusion, count() AS requests, toUnixTimestamp64Milli(max(at)) AS lastAt
    FROM ${ownerOpens}
    WHERE exclusion != '' AND ${matchesFilters}
    GROUP BY exclusion
    ORDER BY requests DESC, exclusion`,
  row: z.object({ exclusion: z.enum(exclusions), requests: z.int(), lastAt: Ms }),
});
