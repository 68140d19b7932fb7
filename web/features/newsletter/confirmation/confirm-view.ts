/** In `failed` and `network` the same button tries again. */
export type ConfirmPlace =
  | "idle"
  | "confirming"
  | "confirmed"
  | "used"
  | "expired"
  | "resending"
  | "resent"
  | "unknown"
  | "failed"
  | "network";

export type ResendTrouble = "tooMany" | "failed" | "network";

export type ConfirmView = {
  place: ConfirmPlace;
  /** The confirmed address. */
  email: string;
  resendTrouble: ResendTrouble | undefined;
};

export type ConfirmEvent = { type: "confirm"; token: string } | { type: "resend" };

export const firstConfirmView: ConfirmView = {
  place: "idle",
  email: "",
  resendTrouble: undefined,
};

/** What the page shows until its machine is loaded. */
export function foreseeConfirm(view: ConfirmView, event: ConfirmEvent): ConfirmView {
  return event.type === "confirm" ? { ...view, place: "confirming" } : view;
}
