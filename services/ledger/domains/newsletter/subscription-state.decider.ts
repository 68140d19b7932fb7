import type { NewsletterEvent, SubscriptionRequested } from "@pro-talent/schemas/newsletter/events";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** What was asked for last, and the words that were agreed to. */
export type Asked = Omit<SubscriptionRequested["data"], "mail" | "requestedAt" | "confirmBy">;

export type Known = {
  readonly status: "pending" | "confirmed" | "unsubscribed" | "bounced" | "complained";
  readonly asked: Asked;
  /** Whether the latest request was confirmed, whatever came after. */
  readonly proven: boolean;
  /** Number of the newest confirmation mail; only its link works. */
  readonly mail: number;
  readonly confirmBy: Instant;
  /** When the latest confirmation mails were asked for, the newest last. */
  readonly mailedAt: readonly Instant[];
  /** Mails in a row that were not taken this time. */
  readonly softBounces: number;
};

/**
 * A subscriber's life.
 *
 *     none ──request──► pending ──confirm──► confirmed
 *                        ▲  │ │                 │
 *            request     │  │ └──erase──► erased│ unsubscribe, bounce, complaint
 *                        │  └──────────┐        │
 *                     unsubscribed · bounced · complained ──erase──► erased
 *
 * A request or a resend while pending stays pending with a new mail. Those who left are erased at
 * once, those who cannot be reached after a while; until then they may ask again. `erased` ends the
 * stream: the key is gone, so the same address is a new subscriber with a stream of its own.
 */
export type SubscriptionState =
  | { readonly status: "none" }
  | { readonly status: "erased"; readonly asked: Asked | null }
  | Known;

export function isKnown(state: SubscriptionState): state is Known {
  return state.status !== "none" && state.status !== "erased";
}

/** The state after a fact. A fact that does not fit (none is ever written) changes nothing. */
export function evolve(state: SubscriptionState, event: NewsletterEvent): SubscriptionState {
  if (event.type === "SubscriberErased") {
    return { status: "erased", asked: state.status === "none" ? null : state.asked };
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
    case "Unsubscribed":
      return { ...state, status: "unsubscribed" };
    case "MailBounced":
      return event.data.kind === "hard"
        ? { ...state, status: "bounced" }
        : { ...state, softBounces: state.softBounces + 1 };
    case "MailComplained":
      return { ...state, status: "complained" };
  }
}

function requested(state: SubscriptionState, event: SubscriptionRequested): Known {
  const { mail, requestedAt, confirmBy, ...asked } = event.data;
  return {
    status: "pending",
    asked,
    proven: false,
    mail,
    confirmBy,
    mailedAt: latest(isKnown(state) ? state.mailedAt : [], requestedAt),
    softBounces: 0,
  };
}

/** No more than the limit looks at. */
function latest(times: readonly Instant[], next: Instant): readonly Instant[] {
  return [...times, next].slice(-newsletterLimits.confirmationsPerDay);
}
