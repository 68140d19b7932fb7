import { addCalls, type CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import type { DeliveryPlan } from "@pro-talent/schemas/analysts/saved-work";
import {
  type deliveryCalls,
  deliveryOffCalls,
  deliveryOffPath,
  workProblems as problems,
} from "@pro-talent/schemas/analysts/work-calls";
import type { FastifyInstance } from "fastify";

import { requestContext, unavailable } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import { addOneClicks, idOfToken } from "../../off-tokens.ts";
import {
  type Acting,
  actingOf,
  type Caller,
  openWork,
  required,
  requireAnswer,
  requireWithheld,
  type WorkRoutes,
} from "./acting.ts";
import type { DeliveryCommand } from "./deliveries/decider.ts";
import {
  commandDelivery,
  deliveries,
  deliveryIdsOf,
  deliveryOff,
  deliveryView,
} from "./deliveries/deliveries.ts";

const base = "/api/console/analyst/work";

/** What an analyst plans to get by mail. */
export function deliveryHandlers(routes: WorkRoutes): CallHandlers<typeof deliveryCalls> {
  const { context } = routes;
  const shown = async ({ asking }: Acting, deliveryId: string) =>
    required(await deliveryView(context, deliveryId, asking), "delivery_not_found");
  const issue = async ({ issued }: Acting, deliveryId: string, command: DeliveryCommand) =>
    requireAnswer(await commandDelivery(context, deliveryId, command, issued).catch(unavailable));
  /** Changes a delivery of the account, and answers it as it is then. */
  const change = async (
    caller: Caller,
    deliveryId: string,
    commandOf: (ownerId: string) => DeliveryCommand,
  ) => {
    const acting = actingOf(routes, caller);
    await issue(acting, deliveryId, commandOf(acting.asking.accountId));
    return { delivery: await shown(acting, deliveryId).catch(unavailable) };
  };
  return {
    [`GET ${base}/deliveries` as const]: async (_input, caller) => {
      const { asking } = actingOf(routes, caller);
      const ids = await deliveryIdsOf(context, asking.accountId).catch(unavailable);
      const views = ids.map((id) => deliveryView(context, id, asking).catch(unavailable));
      return { deliveries: (await Promise.all(views)).flatMap((view) => view ?? []) };
    },
    [`POST ${base}/deliveries` as const]: async ({ body: plan }, caller) => {
      const acting = actingOf(routes, caller);
      await requireDeliverable(routes, acting, plan.of).catch(unavailable);
      await planOne(routes, acting, plan).catch(unavailable);
      return { delivery: await shown(acting, acting.newId).catch(unavailable) };
    },
    [`PUT ${base}/deliveries/:deliveryId` as const]: ({ params, body }, caller) =>
      change(caller, params.deliveryId, (ownerId) => ({
        type: "ChangeDelivery",
        ownerId,
        ...body,
      })),
    [`POST ${base}/deliveries/:deliveryId/pause` as const]: ({ params }, caller) =>
      change(caller, params.deliveryId, (ownerId) => ({ type: "PauseDelivery", ownerId })),
    [`POST ${base}/deliveries/:deliveryId/resume` as const]: async ({ params }, caller) => {
      const acting = actingOf(routes, caller);
      const { of } = await shown(acting, params.deliveryId).catch(unavailable);
      await requireDeliverable(routes, acting, of).catch(unavailable);
      return await change(caller, params.deliveryId, (ownerId) => ({
        type: "ResumeDelivery",
        ownerId,
      }));
    },
    [`POST ${base}/deliveries/:deliveryId/send` as const]: ({ params }, caller) =>
      change(caller, params.deliveryId, (ownerId) => ({ type: "SendNow", ownerId })),
    [`DELETE ${base}/deliveries/:deliveryId` as const]: async ({ params }, caller) => {
      const acting = actingOf(routes, caller);
      const ownerId = acting.asking.accountId;
      await issue(acting, params.deliveryId, { type: "RemoveDelivery", ownerId });
      return { status: "removed" as const };
    },
  };
}

/** @throws ProblemError `deliveries_full` */
async function planOne(
  { context }: WorkRoutes,
  { asking, issued, newId: deliveryId }: Acting,
  plan: DeliveryPlan,
): Promise<void> {
  const { accountId: ownerId } = asking;
  await inTurn(context.ledger.sql, `deliveries of ${ownerId}`, async () => {
    const others = (await deliveryIdsOf(context, ownerId)).filter((id) => id !== deliveryId);
    if (others.length >= analystLimits.deliveriesMax)
      throw new ProblemError(problems.deliveries_full);
    const command = { type: "PlanDelivery", ownerId, plan } as const;
    requireAnswer(await commandDelivery(context, deliveryId, command, issued));
  });
}

/** @throws ProblemError when the work is not visible or archived, or small groups of it cannot be withheld */
async function requireDeliverable(
  routes: WorkRoutes,
  acting: Acting,
  of: DeliveryPlan["of"],
): Promise<void> {
  const { archivedAt, content } = await openWork(routes, acting, of);
  if (archivedAt !== null) throw new ProblemError(problems.work_archived);
  await requireWithheld(routes, content);
}

/** One click of a mail program pauses the delivery that its mail is of. */
export function addDeliveryOff(app: FastifyInstance, context: HttpContext): void {
  addOneClicks(app);
  addCalls(app, deliveryOffCalls, {
    [`POST ${deliveryOffPath}` as const]: async ({ query: { token } }, { request }) => {
      const deliveryId = required(idOfToken(context, deliveryOff, token), "delivery_not_found");
      const { state } = await loadState(context.ledger.sql, deliveries, deliveryId).catch(
        unavailable,
      );
      // One that was ended already is off.
      if (state.status === "planned") {
        const { ownerId } = state;
        const issued = requestContext(context, request, `account:${ownerId}`);
        const command = { type: "PauseDelivery", ownerId } as const;
        requireAnswer(
          await commandDelivery(context, deliveryId, command, issued).catch(unavailable),
        );
      }
      return { status: "off" as const };
    },
  });
}
