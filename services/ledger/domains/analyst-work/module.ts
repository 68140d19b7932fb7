import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { internalWorkCalls } from "@pro-talent/schemas/analysts/internal-work-calls";
import {
  deliveryCalls,
  savedWorkCalls,
  workProblems as problems,
} from "@pro-talent/schemas/analysts/work-calls";
import type { FastifyInstance } from "fastify";

import { type ContactOf, contactsOver } from "../../contacts.ts";
import { insightsEnv } from "../../insights.ts";
import { unavailable } from "../../kernel/http.ts";
import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import type { WorkRoutes } from "./acting.ts";
import { deliveries, deliveryEvents, deliveryRows } from "./deliveries/deliveries.ts";
import {
  deliveryMessages,
  deliveryReturns,
  deliveryTimers,
  type RolesOf,
  rolesOver,
} from "./deliveries/send.ts";
import { type WithheldResults, withheldOver } from "./deliveries/withheld.ts";
import { addDeliveryOff, deliveryHandlers } from "./delivery-routes.ts";
import { tileOf } from "./runnable.ts";
import { destroyWorkTimer, savedWork, savedWorkEvents, savedWorkRows } from "./saved-work.ts";
import { savedWorkHandlers } from "./work-routes.ts";

/** What saved work reaches outside; the configured services when absent. */
export type WorkOutside = {
  readonly contactOf?: ContactOf;
  readonly rolesOf?: RolesOf;
  readonly withheld?: WithheldResults;
};

/** Saved queries and dashboards of analysts, and their deliveries. */
export function analystWorkModule(outside: WorkOutside = {}) {
  return defineModule({
    name: "analyst-work",
    environment: insightsEnv,
    events: [savedWorkEvents, deliveryEvents],
    streams: [streamKind(savedWork), streamKind(deliveries)],
    readModels: [savedWorkRows, deliveryRows],
    routes: async (scope, context, env) => {
      const insights = { ...context.accounts, url: env.INSIGHTS_URL };
      await addRoutes(scope, { context, withheld: outside.withheld ?? withheldOver(insights) });
    },
    mailReturns: deliveryReturns,
    messages: (context) =>
      deliveryMessages({
        context,
        contactOf: outside.contactOf ?? contactsOver(context.accounts),
        rolesOf: outside.rolesOf ?? rolesOver(context.accounts),
        withheld: outside.withheld ?? withheldOver(context.insights),
      }),
    timers: (context) => ({
      ...deliveryTimers(context),
      [destroyWorkTimer]: (workId) => context.subjects.shred(workId),
    }),
  });
}

export const analystWork = analystWorkModule();

async function addRoutes(app: FastifyInstance, routes: WorkRoutes): Promise<void> {
  const { context } = routes;
  addCalls(app, internalWorkCalls, {
    "POST /internal/analyst-work/:workId/tiles/:tileId": async ({ params, body }) => {
      const tile = await tileOf(context, params, body).catch(unavailable);
      if (typeof tile === "string") throw new ProblemError(problems[tile]);
      return tile;
    },
  });
  await app.register(async (scope) => addDeliveryOff(scope, context));
  await app.register(async (scope) => {
    await limitRate(scope, { reads: context.readsPerMinute, writes: context.formsPerMinute });
    addCalls(scope, savedWorkCalls, savedWorkHandlers(routes));
    addCalls(scope, deliveryCalls, deliveryHandlers(routes));
  });
}
