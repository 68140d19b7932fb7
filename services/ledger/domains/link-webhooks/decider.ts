import { webhookLimits as limit } from "@pro-talent/schemas/links/limits";
import type {
  AttemptFault,
  FirstOpen,
  WebhookEvent,
} from "@pro-talent/schemas/links/webhook-events";
import type { WebhookState } from "@pro-talent/schemas/links/webhook-state";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";
import { type Delivery, evolve, type HeldWebhook, isListed } from "./webhook-state.decider.ts";

/** How an attempt ended; without a fault the receiver accepted the message. */
export type Outcome = { readonly fault: AttemptFault | null; readonly status: number | null };

export type WebhookCommand =
  | { readonly type: "CreateWebhook"; readonly accountId: string }
  /** The new secret is sealed beside it. */
  | { readonly type: "ReplaceSecret" }
  | { readonly type: "RequestTest"; readonly deliveryId: string }
  /** What is known so far; links that were reported before change nothing. */
  | {
      readonly type: "ReportFirstOpens";
      readonly opens: readonly { readonly deliveryId: string; readonly open: FirstOpen }[];
    }
  | { readonly type: "ReplayDelivery"; readonly deliveryId: string }
  | { readonly type: "ResumeWebhook" }
  | { readonly type: "RecordAttempt"; readonly deliveryId: string; readonly outcome: Outcome }
  | {
      readonly type: "EraseWebhook";
      readonly reason: (WebhookEvent & { type: "WebhookErased" })["data"]["reason"];
    };

export type WebhookRefusalCode = "webhook_not_found" | "webhook_paused" | "test_waiting";
type Decision = readonly WebhookEvent[] | Refusal<WebhookRefusalCode>;

const hourMs = 60 * 60_000;

/** Until when messages are also signed with a secret that is replaced now. */
export const overlapFrom = (now: Instant): Instant => instantPlus(now, limit.overlapHours * hourMs);
const dayMs = 24 * hourMs;
/** Minutes from one attempt to the next, as the Standard Webhooks advise: three days in all. */
const retryMinutes = [1, 5, 30, 120, 300, 600, 840, 1200, 1224];

/** One webhook: what it has to deliver and when, and whether its receiver still takes anything. */
export const webhookDecider: Decider<
  WebhookState,
  WebhookCommand,
  WebhookEvent,
  WebhookRefusalCode
> = { initialState: { status: "none" }, decide, evolve };

function decide(command: WebhookCommand, state: WebhookState, { now }: { now: Instant }): Decision {
  if (command.type === "CreateWebhook") {
    if (state.status !== "none") return refuse("webhook_not_found");
    return [
      { type: "WebhookCreated", data: { accountId: command.accountId } },
      { type: "WebhookSecretIssued", data: { formerUntil: null } },
    ];
  }
  if (state.status !== "held") {
    return command.type === "EraseWebhook" ? [] : refuse("webhook_not_found");
  }
  return decideHeld(command, state, now);
}

function decideHeld(
  command: Exclude<WebhookCommand, { type: "CreateWebhook" }>,
  state: HeldWebhook,
  now: Instant,
): Decision {
  switch (command.type) {
    case "ReplaceSecret": {
      return [{ type: "WebhookSecretIssued", data: { formerUntil: overlapFrom(now) } }];
    }
    case "RequestTest": {
      if (state.paused !== null) return refuse("webhook_paused");
      // One at a time: a test is no way to flood an external server.
      if (state.deliveries.some(({ open, status }) => open === null && status === "waiting"))
        return refuse("test_waiting");
      return [requested(command.deliveryId, null)];
    }
    case "ReportFirstOpens": {
      const fresh = command.opens.filter(({ open }) => !state.reported.includes(open.linkId));
      return fresh.map(({ deliveryId, open }) => requested(deliveryId, open));
    }
    case "ReplayDelivery":
      return decideReplay(findDelivery(state, command.deliveryId), state, now);
    case "ResumeWebhook":
      return state.paused === null ? [] : [{ type: "WebhookResumed", data: {} }];
    case "RecordAttempt": {
      const delivery = findDelivery(state, command.deliveryId);
      if (delivery?.status !== "waiting") return [];
      return decideAttempt(delivery, command.outcome, state, now);
    }
    case "EraseWebhook":
      return [{ type: "WebhookErased", data: { reason: command.reason } }];
  }
}

const findDelivery = ({ deliveries }: HeldWebhook, id: string): Delivery | undefined =>
  deliveries.find(({ deliveryId }) => deliveryId === id);

const requested = (deliveryId: string, open: FirstOpen | null): WebhookEvent => ({
  type: "WebhookDeliveryRequested",
  data: { deliveryId, open },
});

function decideReplay(
  delivery: Delivery | undefined,
  { paused }: HeldWebhook,
  now: Instant,
): Decision {
  if (delivery === undefined || !isListed(delivery, now)) return refuse("webhook_not_found");
  if (paused !== null) return refuse("webhook_paused");
  const { deliveryId, status } = delivery;
  return status === "waiting" ? [] : [{ type: "WebhookReplayRequested", data: { deliveryId } }];
}

function decideAttempt(
  { deliveryId, open, attempts }: Delivery,
  { fault, status }: Outcome,
  { failingSince, paused }: HeldWebhook,
  now: Instant,
): readonly WebhookEvent[] {
  if (fault === null) {
    return [{ type: "WebhookDelivered", data: { deliveryId, status: status ?? 200 } }];
  }
  const minutes = open === null ? undefined : retryMinutes[attempts];
  const isRefused = status === 410;
  const retryAt = minutes === undefined || isRefused ? null : instantPlus(now, minutes * 60_000);
  const failed: WebhookEvent = {
    type: "WebhookAttemptFailed",
    data: { deliveryId, fault, status, retryAt },
  };
  const isLong =
    open !== null &&
    retryAt === null &&
    failingSince !== null &&
    now >= instantPlus(failingSince, limit.triedDays * dayMs);
  if (paused !== null || !(isRefused || isLong)) return [failed];
  return [failed, { type: "WebhookPaused", data: { reason: isRefused ? "refused" : "failing" } }];
}
