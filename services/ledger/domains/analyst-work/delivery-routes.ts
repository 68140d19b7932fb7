import { type CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import {
  type deliveryCalls,
  workProblems as problems,
} from "@pro-talent/schemas/analysts/work-calls";

import { unavailable } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import { loadState } from "../../kernel/streams.ts";
import { type Acting, actingOf, required, requireAnswer, type WorkRoutes } from "./acting.ts";
import type { DeliveryCommand } from "./deliveries/decider.ts";
import {
  commandDelivery,
  deliveries,
  deliveryIdsOf,
  deliveryView,
} from "./deliveries/deliveries.ts";
import { contentOf, visibleWork } from "./read-work.ts";

const base = "/api/console/analyst/work";

/** What an analyst plans to get by mail. */
export function deliveryHandlers(routes: WorkRoutes): CallHandlers<typeof deliveryCalls> {
  const { context } = routes;
  const shown = async ({ asking }: Acting, deliveryId: string) =>
    required(await deliveryView(context, deliveryId, asking), "delivery_not_found");
  const issue = async ({ issued }: Acting, deliveryId: string, command: DeliveryCommand) =>
    requireAnswer(await commandDelivery(context, deliveryId, command, issued).catch(unavailable));
  /** Changes a delivery of the account, and answers it as it is then. */
  const change = async (acting: Acting, deliveryId: string, command: DeliveryCommand) => {
    await issue(acting, deliveryId, command);
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
      const { asking, newId: deliveryId } = acting;
      await requireDeliverable(routes, acting, plan.of).catch(unavailable);
      await inTurn(context.ledger.sql, `deliveries of ${asking.accountId}`, async () => {
        const others = (await deliveryIdsOf(context, asking.accountId)).filter(
          (id) => id !== deliveryId,
        );
        if (others.length >= analystLimits.deliveriesMax)
          throw new ProblemError(problems.deliveries_full);
        const command = { type: "PlanDelivery", ownerId: asking.accountId, plan } as const;
        await issue(acting, deliveryId, command);
      }).catch(unavailable);
      return { delivery: await shown(acting, deliveryId).catch(unavailable) };
    },
    [`PUT ${base}/deliveries/:deliveryId` as const]: async ({ params, body }, caller) => {
      const acting = actingOf(routes, caller);
      const ownerId = acting.asking.accountId;
      return await change(acting, params.deliveryId, { type: "ChangeDelivery", ownerId, ...body });
    },
    [`POST ${base}/deliveries/:deliveryId/pause` as const]: async ({ params }, caller) => {
      const acting = actingOf(routes, caller);
      const ownerId = acting.asking.accountId;
      return await change(acting, params.deliveryId, { type: "PauseDelivery", ownerId });
    },
    [`POST ${base}/deliveries/:deliveryId/resume` as const]: async ({ params }, caller) => {
      const acting = actingOf(routes, caller);
      const ownerId = acting.asking.accountId;
      const { state } = await loadState(context.ledger.sql, deliveries, params.deliveryId).catch(
        unavailable,
      );
      if (state.status !== "planned" || state.ownerId !== ownerId)
        throw new ProblemError(problems.delivery_not_found);
      await requireDeliverable(routes, acting, state.plan.of).catch(unavailable);
      return await change(acting, params.deliveryId, { type: "ResumeDelivery", ownerId });
    },
    [`POST ${base}/deliveries/:deliveryId/send` as const]: async ({ params }, caller) => {
      const acting = actingOf(routes, caller);
      const ownerId = acting.asking.accountId;
      return await change(acting, params.deliveryId, { type: "SendNow", ownerId });
    },
    [`DELETE ${base}/deliveries/:deliveryId` as const]: async ({ params }, caller) => {
      const acting = actingOf(routes, caller);
      const ownerId = acting.asking.accountId;
      await issue(acting, params.deliveryId, { type: "RemoveDelivery", ownerId });
      return { status: "removed" as const };
    },
  };
}

/** @throws ProblemError when the work is not visible or archived, or small groups of it cannot be withheld */
async function requireDeliverable(
  { context, withheld }: WorkRoutes,
  { asking }: Acting,
  { kind, workId }: { readonly kind: string; readonly workId: string },
): Promise<void> {
  const row = required(await visibleWork(context, workId, asking), "work_not_found");
  if (row.kind !== kind) throw new ProblemError(problems.work_not_found);
  if (row.archivedAt !== null) throw new ProblemError(problems.work_archived);
  const content = required(await contentOf(context, row), "work_not_found");
  const refused = content.kind === "query" ? await withheld.check(content) : null;
  if (refused !== null) throw new ProblemError(problems.query_not_withheld, { errors: [refused] });
}
