import type { Locale } from "@pro-talent/schemas/primitives/locale";

import {
  type ContactFaults,
  type ContactField,
  type ContactMessage,
  edited,
  emptyMessage,
  faultsOf,
  faultsWithout,
  hasFaults,
} from "./contact-message.ts";

export type ContactPlace = "idle" | "sending" | "success" | "error";

export type ContactView = {
  place: ContactPlace;
  message: ContactMessage;
  faults: ContactFaults;
  /** How often the form was held back for its faults; the summary takes focus each time. */
  refusals: number;
};

/** What goes out with a message. A letter that is sent again has the postmark of the first time. */
export type Postmark = {
  /** By it the platform knows a letter that it has already. */
  letterId: string;
  language: Locale;
  /** The analytics session of a visitor who consented to analytics. */
  sessionId: string | undefined;
  /** From the first key to sending; unknown when writing began before the page could tell. */
  writingMs: number | undefined;
};

export type ContactEvent =
  | { type: "changed"; field: ContactField; value: string }
  | { type: "submit"; postmark: Postmark };

export const firstContactView: ContactView = {
  place: "idle",
  message: emptyMessage,
  faults: {},
  refusals: 0,
};

/** What the form shows before its machine has been fetched. */
export function foreseeContact(view: ContactView, event: ContactEvent): ContactView {
  if (event.type === "changed") {
    const { field, value } = event;
    return {
      ...view,
      message: edited(view.message, field, value),
      faults: faultsWithout(view.faults, field),
    };
  }
  const faults = faultsOf(view.message);
  if (hasFaults(faults)) return { ...view, faults, refusals: view.refusals + 1 };
  return { ...view, faults, place: "sending" };
}
