import { z } from "zod";

import { defineQuestion, Ms } from "../ask.ts";

/** Which links people opened in a span, of all accounts, in the order of accounts; for other services alone. */
export const openedLinks = defineQuestion<{ from: string; until: string }>()({
  name: "opened-links",
  sql: `SELECT account_id AS accountId, link_id AS linkId, toUnixTimestamp64Milli(last_at) AS lastAt
    FROM opened_links(from = {from:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
    ORDER BY accountId, linkId`,
  row: z.object({ accountId: z.uuid(), linkId: z.uuid(), lastAt: Ms }),
});
