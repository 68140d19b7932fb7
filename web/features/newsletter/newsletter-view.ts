import { emptyEntry, type Entry, type SubscriptionEvent, type Trouble } from "./subscription.ts";

export type NewsletterPlace = "empty" | "submitting" | "subscribed";
export type NewsletterView = { place: NewsletterPlace; entry: Entry; trouble: Trouble | undefined };

export const firstNewsletterView: NewsletterView = {
  place: "empty",
  entry: emptyEntry,
  trouble: undefined,
};

/** Subscribe is disabled while submitting, while the e-mail is empty or consent is unchecked. */
export function canSubscribe({ place, entry }: NewsletterView): boolean {
  return place === "empty" && entry.email.trim() !== "" && entry.consent;
}

/** What the form shows before its machine has been fetched. */
export function foreseeNewsletter(view: NewsletterView, event: SubscriptionEvent): NewsletterView {
  if (event.type === "changed") return { ...view, entry: event.entry, trouble: undefined };
  return canSubscribe(view) ? { ...view, place: "submitting" } : view;
}
