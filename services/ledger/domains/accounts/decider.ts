import type { AccountEvent } from "@pro-talent/schemas/accounts/events";

import type { Decider } from "../../kernel/types.ts";

export type AccountCommand = { readonly type: "OpenAccount" } & AccountEvent["data"];
export type AccountState = { readonly opened: boolean };

/** An account is opened once, with the documents that were accepted. */
export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent, never> = {
  initialState: { opened: false },
  decide: ({ documents, invitationId }, { opened }) =>
    opened ? [] : [{ type: "AccountOpened", data: { documents, invitationId } }],
  evolve: () => ({ opened: true }),
};
