import { webhookLimits as limit } from "@pro-talent/schemas/links/limits";
import type { WebhookEvent } from "@pro-talent/schemas/links/webhook-events";
import type { WebhookState } from "@pro-talent/schemas/links/webhook-state";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

export type HeldWebhook = WebhookState & { status: "held" };
export type Delivery = HeldWebhook["deliveries"][number];

const dayMs = 24 * 60 * 60_000;

/** Whether a delivery is shown, and may be replayed. */
export const isListed = ({ requestedAt }: Delivery, now: Instant): boolean =>
  now < instantPlus(requestedAt, limit.listedDays * dayMs);

/** The state after an event. */
export function evolve(state: WebhookState, event: WebhookEvent, at: Instant): WebhookState {
  if (event.type === "WebhookCreated") {
    return {
      status: "held",
      accountId: event.data.accountId,
      createdAt: at,
      formerSecretUntil: null,
      paused: null,
      failingSince: null,
      attemptedAt: null,
      reported: [],
      deliveries: [],
    };
  }
  return state.status === "held" ? evolveHeld(state, event, at) : state;
}

function evolveHeld(
  state: HeldWebhook,
  event: Exclude<WebhookEvent, { type: "WebhookCreated" }>,
  at: Instant,
): WebhookState {
  const changed = (deliveryId: string, change: (delivery: Delivery) => Partial<Delivery>) =>
    state.deliveries.map((delivery) =>
      delivery.deliveryId === deliveryId ? { ...delivery, ...change(delivery) } : delivery,
    );
  switch (event.type) {
    case "WebhookSecretIssued":
      return { ...state, formerSecretUntil: event.data.formerUntil };
    case "WebhookDeliveryRequested": {
      const { deliveryId, open } = event.data;
      const delivery = { deliveryId, open, requestedAt: at, last: null, ...due(at) };
      const kept = state.deliveries.filter(
        (known) => known.status === "waiting" || isListed(known, at),
      );
      const reported = open === null ? state.reported : [...state.reported, open.linkId];
      return { ...state, reported, deliveries: [...kept, delivery] };
    }
    case "WebhookDelivered": {
      const { deliveryId, status } = event.data;
      const deliveries = changed(deliveryId, ({ attempts }) => ({
        status: "delivered",
        attempts: attempts + 1,
        last: { at, fault: null, status },
        nextAt: null,
      }));
      return { ...state, deliveries, attemptedAt: at, failingSince: null };
    }
    case "WebhookAttemptFailed": {
      const { deliveryId, fault, status, retryAt } = event.data;
      const deliveries = changed(deliveryId, ({ attempts }) => ({
        status: retryAt === null ? "failed" : "waiting",
        attempts: attempts + 1,
        last: { at, fault, status },
        nextAt: retryAt,
      }));
      return { ...state, deliveries, attemptedAt: at, failingSince: state.failingSince ?? at };
    }
    case "WebhookReplayRequested":
      return { ...state, deliveries: changed(event.data.deliveryId, () => due(at)) };
    case "WebhookPaused":
      return { ...state, paused: { reason: event.data.reason, at } };
    case "WebhookResumed": {
      const deliveries = state.deliveries.map((delivery) =>
        delivery.status === "waiting" ? { ...delivery, ...due(at) } : delivery,
      );
      return { ...state, paused: null, failingSince: null, deliveries };
    }
    case "WebhookErased":
      return { status: "erased", at };
  }
}

const due = (at: Instant) => ({ status: "waiting" as const, attempts: 0, nextAt: at });

/**
 * When the next attempt is due; null while there is none. Always after the attempt before, so that each
 * attempt moves the timer.
 */
export function nextAttempt({ paused, deliveries, attemptedAt }: HeldWebhook): Instant | null {
  const [first] = deliveries
    .flatMap(({ status, nextAt }) => (status === "waiting" && nextAt !== null ? [nextAt] : []))
    .toSorted();
  if (paused !== null || first === undefined) return null;
  const after = attemptedAt === null ? first : instantPlus(attemptedAt, 1);
  return first > after ? first : after;
}
