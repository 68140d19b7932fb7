import type { ReportReason } from "@pro-talent/schemas/links/report-reasons";
import type { PortfolioEvent, ReaderMessageEvent } from "@pro-talent/schemas/portfolios/events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, refuse } from "../../../kernel/types.ts";

export type PortfolioCommand =
  /** By a reader. */
  | { readonly type: "ReportPortfolio"; readonly reason: ReportReason }
  /** By an administrator. */
  | { readonly type: "TakeDownPortfolio"; readonly reason: ReportReason }
  | { readonly type: "ReinstatePortfolio" }
  /** The account of the owner is gone. */
  | { readonly type: "ForgetPortfolio" };
export type PortfolioState = {
  readonly reports: number;
  readonly takenDown: boolean;
  readonly forgotten: boolean;
};

/** Reports of one portfolio that are recorded; more change nothing that an administrator sees. */
const reportsMax = 50;

/** What was reported about the portfolio of an account, and whether it was taken down. */
export const portfolioDecider: Decider<PortfolioState, PortfolioCommand, PortfolioEvent, never> = {
  initialState: { reports: 0, takenDown: false, forgotten: false },
  decide: (command, { reports, takenDown, forgotten }) => {
    if (forgotten) return [];
    switch (command.type) {
      case "ReportPortfolio":
        if (reports >= reportsMax) return [];
        return [{ type: "PortfolioReported", data: { reason: command.reason } }];
      case "TakeDownPortfolio":
        return takenDown ? [] : [{ type: "PortfolioTakenDown", data: { reason: command.reason } }];
      case "ReinstatePortfolio":
        return takenDown ? [{ type: "PortfolioReinstated", data: {} }] : [];
      case "ForgetPortfolio":
        return reports > 0 || takenDown ? [{ type: "PortfolioForgotten", data: {} }] : [];
    }
  },
  evolve: (state, { type }) => {
    switch (type) {
      case "PortfolioReported":
        return { ...state, reports: state.reports + 1 };
      case "PortfolioTakenDown":
        return { ...state, takenDown: true };
      case "PortfolioReinstated":
        return { ...state, takenDown: false };
      case "PortfolioForgotten":
        return { ...state, forgotten: true };
    }
  },
};

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
