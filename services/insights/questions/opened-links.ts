import { z } from "zod";

import { defineQuestion, Ms } from "../ask.ts";
import { ownerOpens, type OwnerParams, peopleIf } from "./owner-opens.ts";

/** Which links people opened in a span, of all accounts, in the order of accounts; for other services alone. */
export const openedLinks = defineQuestion<{ from: string; until: string }>()({
  name: "opened-links",
  sql: `SELECT account_id AS accountId, link_id AS linkId, toUnixTimestamp64Milli(last_at) AS lastAt
    FROM opened_links(from = {from:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
    ORDER BY accountId, linkId`,
  row: z.object({ accountId: z.uuid(), linkId: z.uuid(), lastAt: Ms }),
});

/** What each link was opened in a span, and where it was opened first. */
export const linkOpens = defineQuestion<OwnerParams>()({
  name: "link-opens",
  sql: `SELECT
      link_id AS linkId,
      countIf(is_open) AS opens,
      ${peopleIf("is_open")} AS people,
      countIf(exclusion != '') AS excluded,
      toUnixTimestamp64Milli(minIf(at, is_open)) AS firstAt,
      argMinIf(country, (at, event_id), is_open) AS firstCountry,
      toUnixTimestamp64Milli(maxIf(at, is_open)) AS lastAt
    FROM ${ownerOpens}
    GROUP BY linkId
    HAVING opens > 0
    ORDER BY firstAt, linkId`,
  row: z.object({
    linkId: z.uuid(),
    opens: z.int(),
    people: z.int(),
    excluded: z.int(),
    firstAt: Ms,
    firstCountry: z.string(),
    lastAt: Ms,
  }),
});
