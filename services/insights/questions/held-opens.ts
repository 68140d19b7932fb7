import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { defineQuestion, timeOf } from "../ask.ts";
import { openColumns, OpenShown } from "./opens.ts";

type HeldParams = { readonly account: string; readonly until: string };

/** Requests for all links of an account, of deleted ones too; see the view `account_opens`. */
const accountOpens = `account_opens(
  account = {account:UUID}, until = {until:DateTime64(3, 'UTC')})`;

export const heldParams = (account: string, until: Instant): HeldParams => ({
  account,
  until: timeOf(until),
});

/** How many there are of each link. */
export const heldOpens = defineQuestion<HeldParams>()({
  name: "held-opens",
  sql: `SELECT link_id AS linkId, count() AS opens FROM ${accountOpens} GROUP BY linkId ORDER BY linkId`,
  row: z.object({ linkId: z.uuid(), opens: z.coerce.number() }),
});

/** All of them, the oldest first. */
export const everyHeldOpen = defineQuestion<HeldParams>()({
  name: "every-held-open",
  sql: `SELECT ${openColumns} FROM ${accountOpens} AS o ORDER BY o.at, event_id`,
  row: OpenShown,
});
