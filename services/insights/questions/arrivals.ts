import { z } from "zod";

import { defineQuestion } from "../ask.ts";
import { openColumns, OpenShown } from "./opens.ts";
import { ownerOpens, type OwnerParams } from "./owner-opens.ts";

/** What arrived of several accounts at once, the oldest first. */
export const arrivals = defineQuestion<OwnerParams>()({
  name: "arrivals",
  sql: `SELECT account_id AS accountId, ${openColumns} FROM ${ownerOpens} AS o ORDER BY o.at, event_id`,
  row: OpenShown.extend({ accountId: z.uuid() }),
});
