import { z } from "zod";

import { defineQuestion } from "../ask.ts";
import { type Filters, matchesFilters, ownerOpens, type OwnerParams } from "./owner-opens.ts";

/** How long what was opened was seen, and how much of it. Pages are those of documents that have pages. */
export const viewing = defineQuestion<OwnerParams & Filters>()({
  name: "viewing",
  sql: `SELECT
      count() AS seen,
      toUInt32(round(if(seen = 0, 0, quantileExactInclusive(0.5)(seconds)))) AS medianSeconds,
      toUInt32(round(if(countIf(pages_total > 0) = 0, 0,
        quantileExactInclusiveIf(0.5)(pages, pages_total > 0)))) AS medianPages,
      max(pages_total) AS pagesTotal,
      countIf(downloaded) AS downloads
    FROM ${ownerOpens}
    WHERE state = 'seen' AND is_open AND ${matchesFilters}`,
  row: z.object({
    seen: z.int(),
    medianSeconds: z.int(),
    medianPages: z.int(),
    pagesTotal: z.int(),
    downloads: z.int(),
  }),
});
