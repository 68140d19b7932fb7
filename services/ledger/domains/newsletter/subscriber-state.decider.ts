import type { NewsletterEvent, SubscriptionRequested } from "@pro-talent/schemas/newsletter/events";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { Known, SubscriberState } from "@pro-talent/schemas/newsletter/subscriber-state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

export function isKnown(state: SubscriberState): state is Known {
  return state.status !== "none" && state.status !== "erased";
}

/** The state after an event. An event that does not fit (none is ever written) changes nothing. */
export function evolve(
  state: SubscriberState,
  event: NewsletterEvent,
  at: Instant,
): SubscriberState {
  if (event.type === "SubscriberErased") {
    const asked = state.status === "none" ? null : state.asked;
    return { status: "erased", asked, erasedAt: at };
  }
  if (event.type === "SubscriptionRequested") return requested(state, event);
  if (!isKnown(state)) return state;
  switch (event.type) {
    case "ConfirmationResent": {
      const { mail, requestedAt, confirmBy } = event.data;
      return { ...state, mail, confirmBy, mailedAt: latest(state.mailedAt, requestedAt) };
    }
    case "SubscriptionConfirmed":
      return { ...state, status: "confirmed", proven: true, softBounces: 0 };
    case "PreferencesChanged":
      return { ...state, asked: { ...state.asked, ...event.data }, softBounces: 0 };
    case "PreferencesLinkRequested": {
      const linkedAt = [...state.linkedAt, event.data.requestedAt];
      return { ...state, linkedAt: linkedAt.slice(-newsletterLimits.linksPerDay) };
    }
    case "Unsubscribed":
      return { ...state, status: "unsubscribed", endedAt: at };
    case "MailBounced":
      return bounced(state, event.data.kind, at);
    case "MailAccepted": {
      const { mail } = event.data;
      return { ...state, accepted: [...state.accepted, { mail, at }], softBounces: 0 };
    }
    case "MailDelivered": {
      const accepted = state.accepted.filter(({ mail }) => mail !== event.data.mail);
      return { ...state, accepted };
    }
    case "BounceWithdrawn":
      return { ...state, status: event.data.status, softBounces: 0, endedAt: null };
    case "MailComplained":
      return { ...state, status: "complained", endedAt: at };
  }
}

function bounced(state: Known, kind: "hard" | "soft", at: Instant): Known {
  return kind === "hard"
    ? { ...state, status: "bounced", accepted: [], endedAt: at }
    : { ...state, softBounces: state.softBounces + 1 };
}

function requested(state: SubscriberState, event: SubscriptionRequested): Known {
  const { mail, requestedAt, confirmBy, ...asked } = event.data;
  return {
    status: "pending",
    asked,
    proven: false,
    mail,
    confirmBy,
    mailedAt: latest(isKnown(state) ? state.mailedAt : [], requestedAt),
    linkedAt: isKnown(state) ? state.linkedAt : [],
    softBounces: 0,
    accepted: isKnown(state) ? state.accepted : [],
    endedAt: null,
  };
}

/** No more than the limit needs. */
function latest(times: readonly Instant[], next: Instant): readonly Instant[] {
  return [...times, next].slice(-newsletterLimits.confirmationsPerDay);
}
