import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { overviewCalls } from "@pro-talent/schemas/privacy/overview-calls";
import type { FastifyInstance } from "fastify";

import { unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { runningClocks } from "./calendar/running-clocks.ts";
import { yearOfRequests, yearsOfRequests } from "./metrics.ts";

/** What lies ahead of the officers, and what was done in a year. */
export async function addOverviewCalls(
  app: FastifyInstance,
  { ledger: { sql }, clock, readsPerMinute }: HttpContext,
): Promise<void> {
  await limitRate(app, { reads: readsPerMinute });
  addCalls(app, overviewCalls, {
    "GET /api/console/privacy/calendar": async () => {
      const { clocks, more } = await runningClocks(sql).catch(unavailable);
      return { clocks: [...clocks], more };
    },
    "GET /api/console/privacy/metrics": async ({ query }) => {
      const [years, types] = await Promise.all([
        yearsOfRequests(sql),
        yearOfRequests(sql, query.year, new Date(clock())),
      ]).catch(unavailable);
      return { years: [...years], types: [...types] };
    },
  });
}
