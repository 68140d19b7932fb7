/** What a form that was sent without scripts can lead to: the ids of the parts of the page. */
export const outcomes = [
  "contact-received",
  "contact-incomplete",
  "contact-failed",
  "subscribe-sent",
  "subscribe-already",
  "subscribe-incomplete",
  "subscribe-failed",
  "confirm-expired",
  "confirm-used",
  "confirm-unknown",
  "resend-sent",
  "preferences-saved",
  "unsubscribed",
] as const;
export type Outcome = (typeof outcomes)[number];

/** What to do next: where the form stands, where to begin again, or nothing but going on. */
export type NextStep = "home" | "signup" | "contact";

export const nextSteps: Readonly<Record<Outcome, NextStep>> = {
  "contact-received": "home",
  "contact-incomplete": "contact",
  "contact-failed": "contact",
  "subscribe-sent": "home",
  "subscribe-already": "home",
  "subscribe-incomplete": "signup",
  "subscribe-failed": "signup",
  "confirm-expired": "signup",
  "confirm-used": "home",
  "confirm-unknown": "signup",
  "resend-sent": "home",
  "preferences-saved": "home",
  unsubscribed: "signup",
};
