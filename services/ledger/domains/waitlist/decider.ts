import type { Invitation, WaitlistEvent, WaitlistState } from "@pro-talent/schemas/waitlist/events";

import { type Decider, refuse } from "../../kernel/types.ts";

export type WaitlistCommand =
  | { readonly type: "RequestPlace" | "ConfirmPlace" | "ReleasePlace" }
  /** The place was released by mistake. */
  | { readonly type: "RestorePlace"; readonly confirmed: boolean }
  | { readonly type: "InvitePlace"; readonly invitation: Invitation }
  | {
      readonly type: "RecordPassedOn";
      readonly invitationId: string;
      /** Of the account that the invited person has already, if they have one. */
      readonly accountId: string | null;
    };

export type WaitlistRefusalCode = "place_not_confirmed";

const requested: WaitlistEvent = { type: "PlaceRequested", data: {} };
const confirmed: WaitlistEvent = { type: "PlaceConfirmed", data: {} };

/**
 * A place on the waitlist: requested by the signup form, confirmed with the address, invited once on each
 * occasion, released when the subscriber leaves. Confirming an address without a requested place changes
 * nothing.
 */
export const waitlistDecider: Decider<
  WaitlistState,
  WaitlistCommand,
  WaitlistEvent,
  WaitlistRefusalCode
> = {
  initialState: { status: "none", invited: [], waiting: [] },
  decide: (command, { status, invited, waiting }) => {
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
      case "InvitePlace": {
        const { invitation } = command;
        if (status !== "confirmed") return refuse("place_not_confirmed");
        if (invited.includes(invitation.occasion)) return [];
        return [{ type: "PlaceInvited", data: invitation }];
      }
      case "RecordPassedOn":
        return recordPassedOn(command, waiting);
    }
  },
  evolve: (state, { type, data }, at) => {
    switch (type) {
      case "PlaceRequested":
        return { ...state, status: "requested" };
      case "PlaceConfirmed":
        return { ...state, status: "confirmed" };
      case "PlaceReleased":
        return { ...state, status: "none", waiting: [] };
      case "PlaceInvited":
        return {
          ...state,
          invited: [...state.invited, data.occasion],
          waiting: [...state.waiting, { ...data, invitedAt: at }],
        };
      case "InvitationPassedOn":
      case "AccountFound":
        return {
          ...state,
          waiting: state.waiting.filter(({ invitationId }) => invitationId !== data.invitationId),
        };
    }
  },
};

/** An invitation is passed on once; with an account that was found, its discount is for that account. */
function recordPassedOn(
  { invitationId, accountId }: WaitlistCommand & { type: "RecordPassedOn" },
  waiting: WaitlistState["waiting"],
): readonly WaitlistEvent[] {
  const passedOn = waiting.find((invitation) => invitation.invitationId === invitationId);
  if (passedOn === undefined) return [];
  if (accountId === null) return [{ type: "InvitationPassedOn", data: { invitationId } }];
  const { discountPercent } = passedOn;
  return [{ type: "AccountFound", data: { invitationId, discountPercent, accountId } }];
}
