import { z } from "zod";

import { defineQuestion } from "../ask.ts";
import { ownerOpens, type OwnerParams } from "./owner-opens.ts";

/** Opens of each link since its own time (`seen`, beside `ids`), and since `from`. */
export const fresh = defineQuestion<
  OwnerParams & { ids: readonly string[]; seen: readonly number[] }
>()({
  name: "fresh",
  sql: `SELECT link_id AS linkId, count() AS opens
    FROM ${ownerOpens}
    WHERE is_open
      AND toUnixTimestamp64Milli(at) >= transform(toString(link_id), {ids:Array(String)}, {seen:Array(Int64)}, toInt64(0))
    GROUP BY linkId`,
  row: z.object({ linkId: z.uuid(), opens: z.int() }),
});
