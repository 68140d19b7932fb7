import type {
  NewsletterCommand,
  RequestSubscription,
} from "@pro-talent/schemas/newsletter/commands";
import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

/** When the stories of the tests begin. */
export const start: Instant = instantFromMs(Date.UTC(2026, 0, 5, 8));

export const asks: RequestSubscription = {
  type: "RequestSubscription",
  language: "en",
  frequency: "weekly",
  topics: ["updates", "features"],
  sourceContext: "footer_form",
  tags: [],
  agreed: { language: "en", version: "2025-10-17", textHash: "a".repeat(64) },
};
const { type: _type, ...asked } = asks;
type Asked = Omit<RequestSubscription, "type">;

/** A request with its first mail, at some time after the start. */
export function requested(mail = 1, afterMs = 0, change: Partial<Asked> = {}): NewsletterEvent {
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

export const confirmed: NewsletterEvent = { type: "SubscriptionConfirmed", data: {} };
export const left: NewsletterEvent = { type: "Unsubscribed", data: { method: "preferences" } };
export const bounced: NewsletterEvent = { type: "MailBounced", data: { kind: "hard" } };
export const delayed: NewsletterEvent = { type: "MailBounced", data: { kind: "soft" } };
export const complained: NewsletterEvent = { type: "MailComplained", data: {} };
export const erased: NewsletterEvent = {
  type: "SubscriberErased",
  data: { reason: "unconfirmed" },
};
export const forgotten: NewsletterEvent = { type: "SubscriberErased", data: { reason: "left" } };
export const givenUp: NewsletterEvent = {
  type: "SubscriberErased",
  data: { reason: "unreachable" },
};
export const changed: NewsletterEvent = {
  type: "PreferencesChanged",
  data: { language: "he", frequency: "monthly", topics: ["launch"] },
};

export const changes: NewsletterCommand = { type: "ChangePreferences", ...changed.data };
export const resends: NewsletterCommand = { type: "ResendConfirmation" };
export const leaves: NewsletterCommand = { type: "Unsubscribe", method: "preferences" };
export const bounces: NewsletterCommand = { type: "RecordBounce", kind: "hard" };
export const delays: NewsletterCommand = { type: "RecordBounce", kind: "soft" };
export const complains: NewsletterCommand = { type: "RecordComplaint" };
export const erases: NewsletterCommand = { type: "EraseUnconfirmed" };
export const forgets: NewsletterCommand = { type: "EraseDeparted" };
export const confirms = (mail: number): NewsletterCommand => ({
  type: "ConfirmSubscription",
  mail,
});

/** Every state that a subscriber can be in, by a short history that leads there. */
export const histories = {
  nobody: [],
  asked: [requested()],
  confirmed: [requested(), confirmed],
  left: [requested(), confirmed, left],
  "left before confirming": [requested(), left],
  bounced: [requested(), confirmed, bounced],
  "bounced before confirming": [requested(), bounced],
  complained: [requested(), confirmed, complained],
  erased: [requested(), erased],
} as const satisfies Record<string, readonly NewsletterEvent[]>;
export type HistoryName = keyof typeof histories;
