import type { AccountEvent } from "@pro-talent/schemas/accounts/events";

import type { Decider } from "../../kernel/types.ts";

type Opened = Extract<AccountEvent, { type: "AccountOpened" }>["data"];

export type AccountCommand =
  | ({ readonly type: "OpenAccount" } & Opened)
  | { readonly type: "CloseAccount" };
export type AccountState = { readonly opened: boolean; readonly closed: boolean };

/** An account is opened once, with the documents that were accepted, and closed once. */
export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent, never> = {
  initialState: { opened: false, closed: false },
  decide: (command, { opened, closed }) => {
    if (command.type === "CloseAccount") return closed ? [] : [{ type: "AccountClosed", data: {} }];
    const { documents, invitationId, discountPercent } = command;
    return opened
      ? []
      : [{ type: "AccountOpened", data: { documents, invitationId, discountPercent } }];
  },
  evolve: (state, { type }) =>
    type === "AccountClosed" ? { ...state, closed: true } : { ...state, opened: true },
};
