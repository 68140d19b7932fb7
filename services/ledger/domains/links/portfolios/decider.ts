import type { ReportReason } from "@pro-talent/schemas/links/report-reasons";
import type { PortfolioEvent } from "@pro-talent/schemas/portfolios/events";

import type { Decider } from "../../../kernel/types.ts";

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
