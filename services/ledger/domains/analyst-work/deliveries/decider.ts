import type {
  DeliveryOutcome,
  DeliveryPlan,
  PauseReason,
} from "@pro-talent/schemas/analysts/saved-work";
import type { DeliveryEvent } from "@pro-talent/schemas/analysts/work-events";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../../kernel/types.ts";
import { nextDue } from "./schedule.ts";

type Changed = Pick<DeliveryPlan, "schedule" | "lastDays">;

export type DeliveryCommand =
  | { readonly type: "PlanDelivery"; readonly ownerId: string; readonly plan: DeliveryPlan }
  | ({ readonly ownerId: string } & (
      | ({ readonly type: "ChangeDelivery" } & Changed)
      | { readonly type: "PauseDelivery" }
      | { readonly type: "ResumeDelivery" }
      | { readonly type: "SendNow" }
      | { readonly type: "RemoveDelivery" }
    ))
  /** It may be due. */
  | { readonly type: "RecordDue" }
  /** The mailbox is gone, or its holder complained. */
  | { readonly type: "StopMails" }
  | {
      readonly type: "EndRun";
      readonly run: number;
      readonly outcome: Exclude<DeliveryOutcome, "paused"> | { readonly paused: PauseReason };
    };

type Planned = {
  readonly status: "planned";
  readonly ownerId: string;
  readonly plan: DeliveryPlan;
  readonly paused: PauseReason | null;
  /** Null while it is paused. */
  readonly nextAt: Instant | null;
  /** The last time that it was due; its outcome is null until it is known. */
  readonly last: {
    readonly run: number;
    readonly dueAt: Instant;
    readonly outcome: DeliveryOutcome | null;
  } | null;
};
export type DeliveryState = { readonly status: "none" | "removed" } | Planned;

export type DeliveryRefusal = "delivery_not_found" | "delivery_sent_lately";

/** Between two that their owner sends at once. */
const betweenMs = 10 * 60_000;

/**
 * A delivery is due again and again until it is removed, and each time is carried out once. After a long break it is due
 * once for all times that were missed.
 */
export const deliveryDecider: Decider<
  DeliveryState,
  DeliveryCommand,
  DeliveryEvent,
  DeliveryRefusal
> = {
  initialState: { status: "none" },
  decide: (command, state, { now }) => {
    if (command.type === "PlanDelivery") {
      const { plan, ownerId } = command;
      if (state.status !== "none") return refuse("delivery_not_found");
      return [{ type: "DeliveryPlanned", data: { ...plan, ownerId } }];
    }
    if (command.type === "RecordDue") {
      if (state.status !== "planned" || state.nextAt === null || now < state.nextAt) return [];
      return [comeDue(state)];
    }
    if (command.type === "StopMails") {
      if (state.status !== "planned" || state.paused === "mailbox-refused") return [];
      return [{ type: "DeliveryPaused", data: { reason: "mailbox-refused" } }];
    }
    if (command.type === "EndRun") return endRun(command, state);
    if (state.status !== "planned" || state.ownerId !== command.ownerId)
      return refuse("delivery_not_found");
    return change(command, state, now);
  },
  evolve: (state, event, at) => {
    if (event.type === "DeliveryPlanned") {
      const { ownerId, ...plan } = event.data;
      const before = state.status === "planned" ? state : { paused: null, last: null };
      const nextAt = before.paused === null ? nextDue(plan.schedule, at) : null;
      return { status: "planned", ownerId, plan, nextAt, paused: before.paused, last: before.last };
    }
    if (state.status !== "planned") return state;
    const { schedule } = state.plan;
    switch (event.type) {
      case "DeliveryPaused":
        return { ...state, paused: event.data.reason, nextAt: null };
      case "DeliveryResumed":
        return { ...state, paused: null, nextAt: nextDue(schedule, at) };
      case "DeliveryCameDue": {
        const isDue = state.nextAt !== null && state.nextAt <= at;
        const nextAt = isDue ? nextDue(schedule, at) : state.nextAt;
        return { ...state, nextAt, last: { run: event.data.run, dueAt: at, outcome: null } };
      }
      case "DeliveryEnded":
        return {
          ...state,
          last: state.last && { ...state.last, outcome: event.data.outcome },
        };
      case "DeliveryRemoved":
        return { status: "removed" };
    }
  },
};

const comeDue = ({ last }: Planned): DeliveryEvent => ({
  type: "DeliveryCameDue",
  data: { run: (last?.run ?? 0) + 1 },
});

type Change = Extract<DeliveryCommand, { ownerId: string }>;

function change(
  command: Exclude<Change, { type: "PlanDelivery" }>,
  state: Planned,
  now: Instant,
): DeliveryEvent[] | Refusal<DeliveryRefusal> {
  const { ownerId, plan, paused, last } = state;
  switch (command.type) {
    case "ChangeDelivery": {
      const { schedule, lastDays } = command;
      return [{ type: "DeliveryPlanned", data: { of: plan.of, ownerId, schedule, lastDays } }];
    }
    case "PauseDelivery":
      return paused === null ? [{ type: "DeliveryPaused", data: { reason: "by-owner" } }] : [];
    case "ResumeDelivery":
      return paused === null ? [] : [{ type: "DeliveryResumed", data: {} }];
    case "SendNow":
      return last !== null && instantPlus(last.dueAt, betweenMs) > now
        ? refuse("delivery_sent_lately")
        : [comeDue(state)];
    case "RemoveDelivery":
      return [{ type: "DeliveryRemoved", data: {} }];
  }
}

/** The end of a run that was recorded already, or that another one followed, changes nothing. */
function endRun(
  { run, outcome }: Extract<DeliveryCommand, { type: "EndRun" }>,
  state: DeliveryState,
): DeliveryEvent[] {
  if (state.status !== "planned" || state.last?.run !== run || state.last.outcome !== null)
    return [];
  if (typeof outcome === "string") return [{ type: "DeliveryEnded", data: { run, outcome } }];
  const ended: DeliveryEvent = { type: "DeliveryEnded", data: { run, outcome: "paused" } };
  if (state.paused === outcome.paused) return [ended];
  return [{ type: "DeliveryPaused", data: { reason: outcome.paused } }, ended];
}
