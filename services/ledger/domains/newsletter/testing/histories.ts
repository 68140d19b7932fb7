import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";

import type { NewsletterCommand, RequestSubscription } from "../decider.ts";

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

/** When the histories of the tests begin. */
export const start: Instant = instantFromMs(Date.UTC(2026, 0, 5, 8));

export const requests: RequestSubscription = {
  type: "RequestSubscription",
  language: "en",
  frequency: "weekly",
  topics: ["updates", "features"],
  sourceContext: "footer_form",
  tags: [],
  agreed: { language: "en", version: "2025-10-17", textHash: "a".repeat(64) },
  documents: [],
};
const { type: _type, ...asked } = requests;

/** A request with its first mail, at some time after the start. */
export function requested(
  mail = 1,
  afterMs = 0,
  change: Partial<typeof asked> = {},
): NewsletterEvent {
  return {
    type: "SubscriptionRequested",
    data: { ...asked, ...change, ...mailing(mail, afterMs) },
  };
}

export function resent(mail: number, afterMs = 0): NewsletterEvent {
  return { type: "ConfirmationResent", data: mailing(mail, afterMs) };
}

function mailing(mail: number, afterMs: number) {
  const requestedAt = instantPlus(start, afterMs);
  return { mail, requestedAt, confirmBy: instantPlus(requestedAt, 48 * hourMs) };
}

export function linkRequested(afterMs: number): NewsletterEvent {
  return {
    type: "PreferencesLinkRequested",
    data: { requestedAt: instantPlus(start, afterMs) },
  };
}

export const confirmed: NewsletterEvent = { type: "SubscriptionConfirmed", data: {} };
export const unsubscribed: NewsletterEvent = {
  type: "Unsubscribed",
  data: { method: "preferences" },
};
export const bounced: NewsletterEvent = { type: "MailBounced", data: { kind: "hard" } };
export const softBounced: NewsletterEvent = { type: "MailBounced", data: { kind: "soft" } };
export const accepted = (mail: string): NewsletterEvent => ({
  type: "MailAccepted",
  data: { mail },
});
export const delivered = (mail: string): NewsletterEvent => ({
  type: "MailDelivered",
  data: { mail },
});
export const bounceWithdrawn = (status: "pending" | "confirmed"): NewsletterEvent => ({
  type: "BounceWithdrawn",
  data: { status, tags: [] },
});
export const complained: NewsletterEvent = { type: "MailComplained", data: {} };
const erasedAs = (reason: "unconfirmed" | "left" | "unreachable"): NewsletterEvent => ({
  type: "SubscriberErased",
  data: { reason },
});
export const erased = erasedAs("unconfirmed");
export const erasedDeparted = erasedAs("left");
export const erasedUnreachable = erasedAs("unreachable");
export const preferencesChanged: NewsletterEvent = {
  type: "PreferencesChanged",
  data: { language: "he", frequency: "monthly", topics: ["launch"] },
};

export const changesPreferences: NewsletterCommand = {
  type: "ChangePreferences",
  ...preferencesChanged.data,
};
export const resends: NewsletterCommand = { type: "ResendConfirmation" };
export const requestsLink: NewsletterCommand = { type: "RequestPreferencesLink" };
export const unsubscribes: NewsletterCommand = { type: "Unsubscribe", method: "preferences" };
export const bounces: NewsletterCommand = { type: "RecordBounce", kind: "hard" };
export const softBounces: NewsletterCommand = { type: "RecordBounce", kind: "soft" };
export const complains: NewsletterCommand = { type: "RecordComplaint" };
export const accepts = (mail: string): NewsletterCommand => ({ type: "RecordAcceptance", mail });
export const recordsDelivery: NewsletterCommand = { type: "RecordDelivery" };
export const withdrawsBounce: NewsletterCommand = { type: "WithdrawBounce" };
export const erasesUnconfirmed: NewsletterCommand = { type: "EraseUnconfirmed" };
export const erasesDeparted: NewsletterCommand = { type: "EraseDeparted" };
export const confirms = (mail: number): NewsletterCommand => ({
  type: "ConfirmSubscription",
  mail,
});
/** Every command but confirmations. */
export const commands: readonly NewsletterCommand[] = [
  requests,
  resends,
  changesPreferences,
  requestsLink,
  unsubscribes,
  bounces,
  softBounces,
  complains,
  accepts("confirm-1"),
  recordsDelivery,
  withdrawsBounce,
  erasesUnconfirmed,
  erasesDeparted,
];

/** Every state of a subscriber, by a short history that leads to it. */
export const histories = {
  unknown: [],
  pending: [requested()],
  confirmed: [requested(), confirmed],
  unsubscribed: [requested(), confirmed, unsubscribed],
  "unsubscribed before confirming": [requested(), unsubscribed],
  bounced: [requested(), confirmed, bounced],
  "bounced before confirming": [requested(), bounced],
  complained: [requested(), confirmed, complained],
  erased: [requested(), erased],
} as const satisfies Record<string, readonly NewsletterEvent[]>;
export type HistoryName = keyof typeof histories;
