import type { WaitlistEvent, WaitlistState } from "@pro-talent/schemas/waitlist/events";

import type { Decider } from "../../kernel/types.ts";

export type WaitlistCommand = { readonly type: "RequestPlace" | "ConfirmPlace" | "ReleasePlace" };

/**
 * A place on the waitlist: requested by the signup form, confirmed with the address, released when the
 * subscriber leaves. Confirming an address without a requested place changes nothing.
 */
export const waitlistDecider: Decider<WaitlistState, WaitlistCommand, WaitlistEvent, never> = {
  initialState: { status: "none" },
  decide: ({ type }, { status }) => {
    switch (type) {
      case "RequestPlace":
        return status === "none" ? [{ type: "PlaceRequested", data: {} }] : [];
      case "ConfirmPlace":
        return status === "requested" ? [{ type: "PlaceConfirmed", data: {} }] : [];
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
