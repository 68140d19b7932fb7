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
  /** Number of refused submissions; the summary takes focus at each. */
  refusals: number;
};

/** Sent with a message. A repeated submission keeps its metadata. */
export type SubmissionMetadata = {
  /** The platform accepts each key once. */
  idempotencyKey: string;
  language: Locale;
  /** The visit session, only with consent to analytics. */
  sessionId: string | undefined;
  /** From the first key to sending; undefined if typing began before the application did. */
  writingMs: number | undefined;
};

export type ContactEvent =
  | { type: "changed"; field: ContactField; value: string }
  | { type: "submit"; metadata: SubmissionMetadata };

export const firstContactView: ContactView = {
  place: "idle",
  message: emptyMessage,
  faults: {},
  refusals: 0,
};

/** What the form shows until its machine is loaded. */
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
