import type {
  NewsletterCommand,
  RequestSubscription,
} from "@pro-talent/schemas/newsletter/commands";
import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { newsletterLimits as limit } from "@pro-talent/schemas/newsletter/limits";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../event-store/types.ts";
import {
  type Asked,
  evolve,
  isKnown,
  type Known,
  type SubscriptionState,
} from "./subscription-state.decider.ts";

/** `subscriber_erased`: the stream has ended; the address has to be taken up as a new subscriber. */
export type NewsletterRefusalCode =
  | "already_subscribed"
  | "rate_limited"
  | "link_unknown"
  | "link_used"
  | "link_expired"
  | "subscriber_erased";

const hourMs = 60 * 60 * 1000;

type Decision = readonly NewsletterEvent[] | Refusal<NewsletterRefusalCode>;

/**
 * The rules of a subscription (its states: see SubscriptionState). Nobody is written to before the
 * address was confirmed by its holder, and nobody any more who left, complained or cannot be
 * reached. What repeats itself stays quiet.
 */
export const newsletterDecider: Decider<
  SubscriptionState,
  NewsletterCommand,
  NewsletterEvent,
  NewsletterRefusalCode
> = { initialState: { status: "none" }, decide, evolve };

function decide(
  command: NewsletterCommand,
  state: SubscriptionState,
  { now }: { readonly now: Instant },
): Decision {
  switch (command.type) {
    case "RequestSubscription":
      return request(command, state, now);
    case "ResendConfirmation":
      return resend(state, now);
    case "ConfirmSubscription":
      return confirm(state, command.mail, now);
    case "ChangePreferences": {
      const { language, frequency, topics } = command;
      const wishes = { language, frequency, topics };
      if (state.status === "none") return refuse("link_unknown");
      if (state.status !== "confirmed" || sameWishes(state.asked, wishes)) return [];
      return [{ type: "PreferencesChanged", data: wishes }];
    }
    case "Unsubscribe":
      return isReachable(state) ? [{ type: "Unsubscribed", data: { method: command.method } }] : [];
    case "RecordBounce":
      return bounce(state, command.kind);
    case "RecordComplaint":
      return isReachable(state) ? [{ type: "MailComplained", data: {} }] : [];
    case "EraseUnconfirmed":
      return eraseUnconfirmed(state, now);
    case "EraseDeparted":
      return eraseDeparted(state);
  }
}

/**
 * The wishes of the newest request count. Beyond the day's mails nothing follows, and whoever asks
 * is not told: the mails may have been asked for by somebody else.
 */
function request(command: RequestSubscription, state: SubscriptionState, now: Instant): Decision {
  const { type: _type, ...asked } = command;
  if (state.status === "erased") return refuse("subscriber_erased");
  if (state.status === "confirmed") return refuse("already_subscribed");
  if (isKnown(state) && mailsAreUsedUp(state, now)) return [];
  if (state.status === "pending" && sameRequest(state.asked, asked)) return [resent(state, now)];
  const mail = isKnown(state) ? state.mail + 1 : 1;
  const data = { ...asked, mail, requestedAt: now, confirmBy: confirmBy(now) };
  return [{ type: "SubscriptionRequested", data }];
}

function resend(state: SubscriptionState, now: Instant): Decision {
  if (!isKnown(state)) return refuse("link_unknown");
  if (state.status !== "pending") return refuse("link_used");
  return mailsAreUsedUp(state, now) ? refuse("rate_limited") : [resent(state, now)];
}

function resent(state: Known, now: Instant): NewsletterEvent {
  const data = { mail: state.mail + 1, requestedAt: now, confirmBy: confirmBy(now) };
  return { type: "ConfirmationResent", data };
}

/** Every mail has its own link; a newer mail ends the links of the earlier ones. */
function confirm(state: SubscriptionState, mail: number, now: Instant): Decision {
  if (!isKnown(state) || mail > state.mail) return refuse("link_unknown");
  if (state.status !== "pending") return refuse("link_used");
  if (mail < state.mail || now >= state.confirmBy) return refuse("link_expired");
  return [{ type: "SubscriptionConfirmed", data: {} }];
}

/**
 * A server that refuses for good ends the subscription. One that refuses for now does so the third
 * time in a row. No fact tells of a delivery, so what begins the row anew is a sign of life: the
 * reader confirms, or changes the preferences.
 */
function bounce(state: SubscriptionState, kind: "hard" | "soft"): Decision {
  if (!isKnown(state) || !isReachable(state)) return [];
  const counts = kind === "hard" || state.softBounces + 1 >= limit.softBouncesMax;
  return [{ type: "MailBounced", data: { kind: counts ? "hard" : "soft" } }];
}

/** Also of those who left or could not be reached before they ever confirmed. */
function eraseUnconfirmed(state: SubscriptionState, now: Instant): Decision {
  if (!isKnown(state) || state.proven || now < eraseAt(state)) return [];
  return [{ type: "SubscriberErased", data: { reason: "unconfirmed" } }];
}

/** Who left is erased at once (the privacy policy's word); the timer settles when the others are. */
function eraseDeparted(state: SubscriptionState): Decision {
  if (!isKnown(state) || isReachable(state)) return [];
  const reason = state.status === "bounced" ? "unreachable" : "left";
  return [{ type: "SubscriberErased", data: { reason } }];
}

/** When a wish that nobody confirms is erased. */
export function eraseAt(state: Known): Instant {
  const asked = state.mailedAt.at(-1) ?? state.confirmBy;
  return instantPlus(asked, limit.unconfirmedDays * 24 * hourMs);
}

function isReachable(state: SubscriptionState): boolean {
  return state.status === "pending" || state.status === "confirmed";
}

function mailsAreUsedUp(state: Known, now: Instant): boolean {
  const dayAgo = instantPlus(now, -24 * hourMs);
  const recent = state.mailedAt.filter((time) => time > dayAgo);
  return recent.length >= limit.confirmationsPerDay;
}

type Wishes = Pick<Asked, "language" | "frequency" | "topics">;

function sameWishes(left: Wishes, right: Wishes): boolean {
  return (
    left.language === right.language &&
    left.frequency === right.frequency &&
    sameItems(left.topics, right.topics)
  );
}

function sameRequest(left: Asked, right: Asked): boolean {
  return (
    sameWishes(left, right) &&
    left.sourceContext === right.sourceContext &&
    sameItems(left.tags, right.tags) &&
    left.agreed.textHash === right.agreed.textHash &&
    left.agreed.version === right.agreed.version &&
    left.agreed.language === right.agreed.language
  );
}

/** Their order says nothing. */
function sameItems(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join() === right.toSorted().join();
}

function confirmBy(now: Instant): Instant {
  return instantPlus(now, limit.confirmHours * hourMs);
}
