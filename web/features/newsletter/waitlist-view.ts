import { emptyEntry, type Entry, type SubscribeEvent, type Trouble } from "./subscribe.ts";

export type WaitlistPlace = "idle" | "submitting" | "success";
export type WaitlistView = { place: WaitlistPlace; entry: Entry; trouble: Trouble | undefined };

export const firstWaitlistView: WaitlistView = {
  place: "idle",
  entry: emptyEntry,
  trouble: undefined,
};

/** Submit is disabled while submitting, after success, and while consent is unchecked. */
export function canJoin({ place, entry }: WaitlistView): boolean {
  return place === "idle" && entry.consent;
}

/** What the form shows until its machine is loaded. */
export function foreseeWaitlist(view: WaitlistView, event: SubscribeEvent): WaitlistView {
  if (event.type === "changed") return { ...view, entry: event.entry, trouble: undefined };
  return canJoin(view) && view.entry.email.trim() !== "" ? { ...view, place: "submitting" } : view;
}
