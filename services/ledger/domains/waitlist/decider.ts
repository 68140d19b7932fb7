import type { WaitlistEvent, WaitlistState } from "@pro-talent/schemas/waitlist/events";

import type { Decider } from "../../kernel/types.ts";

export type WaitlistCommand =
  | { readonly type: "RequestPlace" | "ConfirmPlace" | "ReleasePlace" }
  /** The place was released by mistake. */
  | { readonly type: "RestorePlace"; readonly confirmed: boolean };

const requested: WaitlistEvent = { type: "PlaceRequested", data: {} };
const confirmed: WaitlistEvent = { type: "PlaceConfirmed", data: {} };

/**
 * A place on the waitlist: requested by the signup form, confirmed with the address, released when the
 * subscriber leaves. Confirming an address without a requested place changes nothing.
 */
export const waitlistDecider: Decider<WaitlistState, WaitlistCommand, WaitlistEvent, never> = {
  initialState: { status: "none" },
  decide: (command, { status }) => {
    switch (command.type) {
      case "RequestPlace":
        return status === "none" ? [requested] : [];
      case "ConfirmPlace":
        return status === "requested" ? [confirmed] : [];
      case "RestorePlace":
        if (status !== "none") return [];
        return command.confirmed ? [requested, confirmed] : [requested];
      case "ReleasePlace":
        return status === "none" ? [] : [{ type: "PlaceReleased", data: {} }];
    }
  },
  evolve: (_state, { type }) => {
    switch (type) {
      case "PlaceRequested":
        return { status: "requested" };
      case "PlaceConfirmed":
        return { status: "confirmed" };
      case "PlaceReleased":
        return { status: "none" };
    }
  },
};
