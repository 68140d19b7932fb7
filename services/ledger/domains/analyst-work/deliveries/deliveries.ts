import type { Delivery } from "@pro-talent/schemas/analysts/saved-work";
import { deliveryOffPath } from "@pro-talent/schemas/analysts/work-calls";
import { DeliveryEvent } from "@pro-talent/schemas/analysts/work-events";

import {
  type CommandContext,
  type CommandResult,
  runCommand,
  type StreamDefinition,
} from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import type { LedgerContext } from "../../../kernel/module.ts";
import { column, readModel } from "../../../kernel/read-model.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { Asking } from "../decider.ts";
import { titlesOf, visibleWork } from "../read-work.ts";
import {
  type DeliveryCommand,
  deliveryDecider,
  type DeliveryRefusal,
  type DeliveryState,
} from "./decider.ts";

export const deliveryEvents = defineEvents("analystdelivery", DeliveryEvent);

/** Records that a delivery is due. */
export const deliveryTimer = "analyst-work.deliver";
/** How one click pauses a delivery. */
export const deliveryOff = { label: "pausing deliveries of analysts", path: deliveryOffPath };
/** Runs what a delivery is about, and mails it. */
export const deliveryMessage = "analyst-work.delivery-mail";

export const deliveries: StreamDefinition<
  DeliveryState,
  DeliveryCommand,
  DeliveryEvent,
  DeliveryRefusal
> = {
  events: deliveryEvents,
  decider: deliveryDecider,
  durableWith: "answer",
  reply: ({ status }) => ({ status }),
  timers: (state) =>
    state.status === "planned" && state.nextAt !== null
      ? [{ name: deliveryTimer, dueAt: state.nextAt }]
      : [],
  effects: ({ id, events }) => ({
    messages: events.flatMap((event) =>
      event.type === "DeliveryCameDue"
        ? [{ name: deliveryMessage, payload: { deliveryId: id, run: event.data.run } }]
        : [],
    ),
  }),
};

/** Carries out a command about a delivery. */
export function commandDelivery(
  { ledger }: Pick<LedgerContext, "ledger">,
  deliveryId: string,
  command: DeliveryCommand,
  issued: CommandContext,
): Promise<CommandResult<DeliveryRefusal>> {
  const body = { type: command.type, deliveryId };
  return runCommand(ledger, deliveries, { id: deliveryId, command, body, ...issued });
}

/** Deliveries that were not removed. */
export const deliveryRows = readModel({
  table: "analyst_delivery",
  version: 1,
  mode: "inline",
  purpose: "Lists the deliveries of an account",
  retention: "Until the delivery is removed, or its owner's account",
  events: deliveryEvents,
  key: { delivery_id: column.uuid("operational", "Names the delivery") },
  columns: {
    owner_id: column.uuid("pseudonym", "Who gets it"),
    planned_at: column.instant("operational", "When it was planned"),
  },
  evolve: (row, { event: { type, data }, occurredAt: at }) => {
    if (type === "DeliveryPlanned")
      return { owner_id: data.ownerId, planned_at: row?.planned_at ?? at };
    return type === "DeliveryRemoved" ? null : row;
  },
  indexes: [{ on: "(owner_id)" }],
});

/** The ids of an account's deliveries, the oldest first. */
export async function deliveryIdsOf(
  { ledger: { sql } }: Pick<LedgerContext, "ledger">,
  ownerId: string,
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select delivery_id::text as id from ledger.analyst_delivery
     where owner_id = ${ownerId} order by planned_at, delivery_id`;
  return rows.map(({ id }) => id);
}

/** A delivery as its owner sees it; undefined for others, and once it was removed. */
export async function deliveryView(
  context: Pick<LedgerContext, "ledger" | "subjects">,
  deliveryId: string,
  asking: Asking,
): Promise<Delivery | undefined> {
  const { state } = await loadState(context.ledger.sql, deliveries, deliveryId);
  if (state.status !== "planned" || state.ownerId !== asking.accountId) return undefined;
  const { plan, paused, nextAt, last } = state;
  const { workId } = plan.of;
  const isVisible = (await visibleWork(context, workId, asking)) !== undefined;
  const title = isVisible ? (await titlesOf(context, [workId])).get(workId) : undefined;
  const lastRun = last && { dueAt: last.dueAt, outcome: last.outcome };
  return { ...plan, deliveryId, title: title ?? null, paused, nextAt, last: lastRun };
}
