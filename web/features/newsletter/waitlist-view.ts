import { emptyEntry, type Entry, type SubscriptionEvent, type Trouble } from "./subscription.ts";

export type WaitlistPlace = "idle" | "submitting" | "success";
export type WaitlistView = { place: WaitlistPlace; entry: Entry; trouble: Trouble | undefined };

export const firstWaitlistView: WaitlistView = {
  place: "idle",
  entry: emptyEntry,
  trouble: undefined,
};

/** Joining is disabled while submitting, after success, and while consent is unchecked. */
export function canJoin({ place, entry }: WaitlistView): boolean {
  return place === "idle" && entry.consent;
}

/** What the form shows before its machine has been fetched. */
export function foreseeWaitlist(view: WaitlistView, event: SubscriptionEvent): WaitlistView {
  if (event.type === "changed") return { ...view, entry: event.entry, trouble: undefined };
  return canJoin(view) && view.entry.email.trim() !== "" ? { ...view, place: "submitting" } : view;
}
