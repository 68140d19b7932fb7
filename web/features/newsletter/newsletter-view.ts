import { emptyEntry, type Entry, type SubscribeEvent, type Trouble } from "./subscribe.ts";

export type NewsletterPlace = "empty" | "submitting" | "subscribed";
export type NewsletterView = { place: NewsletterPlace; entry: Entry; trouble: Trouble | undefined };

export const firstNewsletterView: NewsletterView = {
  place: "empty",
  entry: emptyEntry,
  trouble: undefined,
};

/** Subscribe is disabled while submitting, while the email is empty or consent is unchecked. */
export function canSubscribe({ place, entry }: NewsletterView): boolean {
  return place === "empty" && entry.email.trim() !== "" && entry.consent;
}

/** What the form shows until its machine is loaded. */
export function foreseeNewsletter(view: NewsletterView, event: SubscribeEvent): NewsletterView {
  if (event.type === "changed") return { ...view, entry: event.entry, trouble: undefined };
  return canSubscribe(view) ? { ...view, place: "submitting" } : view;
}
