import type { ReaderMessageEvent } from "@pro-talent/schemas/portfolios/events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, refuse } from "../../../kernel/types.ts";

type ErasedBecause = (ReaderMessageEvent & { type: "ReaderMessageErased" })["data"]["reason"];
export type ReaderMessageCommand =
  | ({ readonly type: "SendReaderMessage" } & (ReaderMessageEvent & {
      type: "ReaderMessageSent";
    })["data"])
  | { readonly type: "EraseReaderMessage"; readonly reason: ErasedBecause };
export type ReaderMessageState =
  | { readonly status: "none" }
  | { readonly status: "sent" | "erased"; readonly accountId: string; readonly at: Instant };

/** A message of a reader, whose words are kept until its mail was handed over, and no longer. */
export const readerMessageDecider: Decider<
  ReaderMessageState,
  ReaderMessageCommand,
  ReaderMessageEvent,
  "message_sent"
> = {
  initialState: { status: "none" },
  decide: (command, { status }) => {
    if (command.type === "EraseReaderMessage") {
      const { reason } = command;
      return status === "sent" ? [{ type: "ReaderMessageErased", data: { reason } }] : [];
    }
    if (status !== "none") return refuse("message_sent");
    const { accountId, language } = command;
    return [{ type: "ReaderMessageSent", data: { accountId, language } }];
  },
  evolve: (state, event, at) => {
    if (event.type === "ReaderMessageSent")
      return { status: "sent", accountId: event.data.accountId, at };
    return state.status === "none" ? state : { ...state, status: "erased", at };
  },
};
