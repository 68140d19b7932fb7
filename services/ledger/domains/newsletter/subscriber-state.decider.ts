import type { NewsletterEvent, SubscriptionRequested } from "@pro-talent/schemas/newsletter/events";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** What was requested last, and the text that was agreed to. */
export type Asked = Omit<SubscriptionRequested["data"], "mail" | "requestedAt" | "confirmBy">;

export type Known = {
  readonly status: "pending" | "confirmed" | "unsubscribed" | "bounced" | "complained";
  readonly asked: Asked;
  /** Whether the latest request was confirmed, whatever came after. */
  readonly proven: boolean;
  /** Number of the newest confirmation mail; only its token is valid. */
  readonly mail: number;
  readonly confirmBy: Instant;
  /** When the latest confirmation mails were requested, the newest last. */
  readonly mailedAt: readonly Instant[];
  /** When the latest new links to the preferences were requested, the newest last. */
  readonly linkedAt: readonly Instant[];
  /** Temporary refusals in a row. */
  readonly softBounces: number;
  /** When mails to the subscriber ended; null while they may be sent. */
  readonly endedAt: Instant | null;
};

/**
 * The states of a subscriber.
 *
 *     none ──request──► pending ──confirm──► confirmed
 *                        ▲  │ │                 │
 *            request     │  │ └──erase──► erased│ unsubscribe, bounce, complaint
 *                        │  └──────────┐        │
 *                     unsubscribed · bounced · complained ──erase──► erased
 *
 * A request or a resend while pending stays pending with a new mail. Those who left are erased at
 * once, those who cannot be reached after a while; until then they may subscribe again. `erased` ends
 * the stream: its key is destroyed, so the same address is a new subscriber with a stream of its own.
 */
export type SubscriberState =
  | { readonly status: "none" }
  | { readonly status: "erased"; readonly asked: Asked | null; readonly erasedAt: Instant }
  | Known;

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
      return event.data.kind === "hard"
        ? { ...state, status: "bounced", endedAt: at }
        : { ...state, softBounces: state.softBounces + 1 };
    case "MailComplained":
      return { ...state, status: "complained", endedAt: at };
  }
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
    endedAt: null,
  };
}

/** No more than the limit needs. */
function latest(times: readonly Instant[], next: Instant): readonly Instant[] {
  return [...times, next].slice(-newsletterLimits.confirmationsPerDay);
}
