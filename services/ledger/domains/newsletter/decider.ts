import { isDeepStrictEqual } from "node:util";

import type { NewsletterEvent, Preferences } from "@pro-talent/schemas/newsletter/events";
import { newsletterLimits as limit } from "@pro-talent/schemas/newsletter/limits";
import type {
  Asked,
  Known,
  SubscriberState,
} from "@pro-talent/schemas/newsletter/subscriber-state";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";
import { evolve, isKnown } from "./subscriber-state.decider.ts";

/** A request to be written to; the address is sealed beside the command. */
export type RequestSubscription = Asked & { readonly type: "RequestSubscription" };

type Leaving = Extract<NewsletterEvent, { type: "Unsubscribed" }>["data"];

export type NewsletterCommand =
  | RequestSubscription
  /** Requests another confirmation mail, with the token of an earlier one. */
  | { readonly type: "ResendConfirmation" }
  /** The link of a mail was followed and its button pressed. */
  | { readonly type: "ConfirmSubscription"; readonly mail: number }
  | ({ readonly type: "ChangePreferences" } & Preferences)
  /** A lost link to the preferences is requested, with the address alone. */
  | { readonly type: "RequestPreferencesLink" }
  | ({ readonly type: "Unsubscribe" } & Leaving)
  /** A mail server refused a mail, permanently or this time. */
  | { readonly type: "RecordBounce"; readonly kind: "hard" | "soft" }
  /** The mail server accepted a mail to the subscriber. */
  | { readonly type: "RecordAcceptance"; readonly mail: string }
  /** The time in which a bounce can come back is over for accepted mails. */
  | { readonly type: "RecordDelivery" }
  /** An operator knows that the address takes mail. */
  | { readonly type: "WithdrawBounce" }
  /** The subscriber marked a mail as unwanted. */
  | { readonly type: "RecordComplaint" }
  /** The time to confirm is over. */
  | { readonly type: "EraseUnconfirmed" }
  /** No mail is sent any more, so the address has no purpose. */
  | { readonly type: "EraseDeparted" }
  /** The subscriber asked for the erasure of their data. */
  | { readonly type: "EraseAsked" };

/** `subscriber_erased`: the stream has ended; the address becomes a new subscriber. */
export type NewsletterRefusalCode =
  | "already_subscribed"
  | "rate_limited"
  | "token_unknown"
  | "token_used"
  | "token_expired"
  | "token_superseded"
  | "subscriber_erased";

const hourMs = 60 * 60 * 1000;

type Decision = readonly NewsletterEvent[] | Refusal<NewsletterRefusalCode>;

/**
 * The rules of a newsletter subscription (its states: see SubscriberState). No address receives an
 * issue before its holder confirmed it, or after the subscriber left, complained or became
 * unreachable. Repetitions change nothing.
 */
export const newsletterDecider: Decider<
  SubscriberState,
  NewsletterCommand,
  NewsletterEvent,
  NewsletterRefusalCode
> = { initialState: { status: "none" }, decide, evolve };

function decide(
  command: NewsletterCommand,
  state: SubscriberState,
  { now }: { readonly now: Instant },
): Decision {
  switch (command.type) {
    case "RequestSubscription":
      return request(command, state, now);
    case "ResendConfirmation":
      return resend(state, now);
    case "ConfirmSubscription":
      return confirm(state, command.mail, now);
    case "ChangePreferences":
      return changePreferences(command, state);
    case "RequestPreferencesLink":
      return requestLink(state, now);
    case "Unsubscribe":
      return end(state, { type: "Unsubscribed", data: { method: command.method } });
    case "RecordBounce":
      return bounce(state, command.kind);
    case "RecordAcceptance":
      return accept(state, command.mail);
    case "RecordDelivery":
      return deliver(state, now);
    case "WithdrawBounce":
      return withdrawn(state);
    case "RecordComplaint":
      return end(state, { type: "MailComplained", data: {} });
    case "EraseUnconfirmed":
      return eraseUnconfirmed(state, now);
    case "EraseDeparted":
    case "EraseAsked":
      return eraseNow(command.type, state);
  }
}

/**
 * The newest request counts. Beyond the day's mails nothing follows, and the answer does not show it:
 * another visitor may have requested the mails.
 */
function request(command: RequestSubscription, state: SubscriberState, now: Instant): Decision {
  const { type: _type, ...asked } = command;
  if (state.status === "erased") return refuse("subscriber_erased");
  if (state.status === "confirmed") return refuse("already_subscribed");
  if (isKnown(state) && mailsAreUsedUp(state, now)) return [];
  if (state.status === "pending" && isDeepStrictEqual(inOrder(state.asked), inOrder(asked))) {
    return [resent(state, now)];
  }
  const mail = isKnown(state) ? state.mail + 1 : 1;
  const data = { ...asked, mail, requestedAt: now, confirmBy: confirmBy(now) };
  return [{ type: "SubscriptionRequested", data }];
}

function changePreferences(
  { language, frequency, topics }: Preferences,
  state: SubscriberState,
): Decision {
  const preferences = { language, frequency, topics };
  if (state.status === "none") return refuse("token_unknown");
  if (state.status !== "confirmed") return [];
  const asked = { ...state.asked, ...preferences };
  if (isDeepStrictEqual(inOrder(asked), inOrder(state.asked))) return [];
  return [{ type: "PreferencesChanged", data: preferences }];
}

/** Any visitor may ask, so neither a limit nor a missing subscription shows in the answer. */
function requestLink(state: SubscriberState, now: Instant): Decision {
  if (state.status !== "confirmed") return [];
  if (withinDay(state.linkedAt, now).length >= limit.linksPerDay) return [];
  return [{ type: "PreferencesLinkRequested", data: { requestedAt: now } }];
}

function resend(state: SubscriberState, now: Instant): Decision {
  if (!isKnown(state)) return refuse("token_unknown");
  if (state.status !== "pending") return refuse("token_used");
  return mailsAreUsedUp(state, now) ? refuse("rate_limited") : [resent(state, now)];
}

function resent(state: Known, now: Instant): NewsletterEvent {
  const data = { mail: state.mail + 1, requestedAt: now, confirmBy: confirmBy(now) };
  return { type: "ConfirmationResent", data };
}

/** Ends the mails to a subscriber who may still be sent some. */
function end(state: SubscriberState, event: NewsletterEvent): readonly NewsletterEvent[] {
  return isReachable(state) ? [event] : [];
}

/** Every mail has its own token; a newer mail ends the tokens of the earlier ones. */
function confirm(state: SubscriberState, mail: number, now: Instant): Decision {
  if (!isKnown(state) || mail > state.mail) return refuse("token_unknown");
  if (state.status !== "pending") return refuse("token_used");
  if (mail < state.mail) return refuse("token_superseded");
  if (now >= state.confirmBy) return refuse("token_expired");
  return [{ type: "SubscriptionConfirmed", data: {} }];
}

/**
 * A permanent refusal ends the subscription; so does the third temporary one in a row. The row begins
 * anew when a mail is accepted that was written for the subscriber alone (deliveries of issues are not
 * events), or when the subscriber confirms or changes preferences.
 */
function bounce(state: SubscriberState, kind: "hard" | "soft"): Decision {
  if (!isKnown(state) || !isReachable(state)) return [];
  const counts = kind === "hard" || state.softBounces + 1 >= limit.softBouncesMax;
  return [{ type: "MailBounced", data: { kind: counts ? "hard" : "soft" } }];
}

/** A mail that is accepted shows that an earlier permanent bounce was wrong. */
function accept(state: SubscriberState, mail: string): readonly NewsletterEvent[] {
  if (!isKnown(state) || state.accepted.some((before) => before.mail === mail)) return [];
  return [{ type: "MailAccepted", data: { mail } }, ...withdrawn(state)];
}

/** A mail that bounced permanently meanwhile is not waited for any more. */
function deliver(state: SubscriberState, now: Instant): readonly NewsletterEvent[] {
  if (!isKnown(state)) return [];
  return state.accepted
    .filter((accepted) => deliveredAt(accepted) <= now)
    .map(({ mail }) => ({ type: "MailDelivered", data: { mail } }));
}

function withdrawn(state: SubscriberState): readonly NewsletterEvent[] {
  if (state.status !== "bounced") return [];
  const status = state.proven ? "confirmed" : "pending";
  return [{ type: "BounceWithdrawn", data: { status, tags: state.asked.tags } }];
}

/** When an accepted mail counts as delivered. */
export function deliveredAt({ at }: Known["accepted"][number]): Instant {
  return instantPlus(at, limit.deliveredHours * hourMs);
}

/** Also those who left or could not be reached before they ever confirmed. */
function eraseUnconfirmed(state: SubscriberState, now: Instant): Decision {
  if (!isKnown(state) || state.proven || now < eraseAt(state)) return [];
  return [{ type: "SubscriberErased", data: { reason: "unconfirmed" } }];
}

/**
 * Who asked for it is erased, and a subscriber who left at once too (privacy policy); the timer decides when
 * those are who became unreachable.
 */
function eraseNow(type: "EraseDeparted" | "EraseAsked", state: SubscriberState): Decision {
  if (!isKnown(state)) return [];
  if (type === "EraseAsked") return [{ type: "SubscriberErased", data: { reason: "asked" } }];
  if (isReachable(state)) return [];
  const reason = state.status === "bounced" ? "unreachable" : "left";
  return [{ type: "SubscriberErased", data: { reason } }];
}

/** When a request that is not confirmed is erased. */
export function eraseAt(state: Known): Instant {
  const asked = state.mailedAt.at(-1) ?? state.confirmBy;
  return instantPlus(asked, limit.unconfirmedDays * 24 * hourMs);
}

/** When a subscriber who gets no more mails is erased: at once, or some days after a bounce. */
export function eraseDepartedAt({ status, endedAt }: Known): Instant | null {
  if (endedAt === null || status !== "bounced") return endedAt;
  return instantPlus(endedAt, limit.unreachableDays * 24 * hourMs);
}

function isReachable(state: SubscriberState): boolean {
  return state.status === "pending" || state.status === "confirmed";
}

function mailsAreUsedUp(state: Known, now: Instant): boolean {
  return withinDay(state.mailedAt, now).length >= limit.confirmationsPerDay;
}

function withinDay(times: readonly Instant[], now: Instant): readonly Instant[] {
  const dayAgo = instantPlus(now, -24 * hourMs);
  return times.filter((time) => time > dayAgo);
}

/** The order of topics and tags has no meaning. */
function inOrder(asked: Asked): Asked {
  return { ...asked, topics: asked.topics.toSorted(), tags: asked.tags.toSorted() };
}

function confirmBy(now: Instant): Instant {
  return instantPlus(now, limit.confirmHours * hourMs);
}
