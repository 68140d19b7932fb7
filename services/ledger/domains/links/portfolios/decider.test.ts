import type { PortfolioEvent } from "@pro-talent/schemas/portfolios/events";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../../kernel/testing/given.ts";
import { type PortfolioCommand, portfolioDecider } from "./decider.ts";
import { portfolioEvents } from "./portfolios.ts";

describe("a portfolio", () => {
  const given = specification(portfolioDecider);
  const reports: PortfolioCommand = { type: "ReportPortfolio", reason: "phishing" };
  const takesDown: PortfolioCommand = { type: "TakeDownPortfolio", reason: "phishing" };
  const reinstates: PortfolioCommand = { type: "ReinstatePortfolio" };
  const forgets: PortfolioCommand = { type: "ForgetPortfolio" };
  const reported: PortfolioEvent = { type: "PortfolioReported", data: { reason: "phishing" } };
  const takenDown: PortfolioEvent = { type: "PortfolioTakenDown", data: { reason: "phishing" } };
  const reinstated: PortfolioEvent = { type: "PortfolioReinstated", data: {} };
  const forgotten: PortfolioEvent = { type: "PortfolioForgotten", data: {} };

  it("is reported by readers, fifty times at most", () => {
    given([]).when(reports).then([reported]);
    given(Array.from({ length: 50 }, () => reported))
      .when(reports)
      .thenNothingChanges();
  });

  it("is taken down by an administrator once, and reinstated", () => {
    given([]).when(takesDown).then([takenDown]);
    given([takenDown]).when(takesDown).thenNothingChanges();
    given([takenDown]).when(reinstates).then([reinstated]);
    given([reported]).when(reinstates).thenNothingChanges();
  });

  it("is forgotten with the account of its owner, for good", () => {
    given([reported]).when(forgets).then([forgotten]);
    given([]).when(forgets).thenNothingChanges();
    given([reported, forgotten]).when(reports).thenNothingChanges();
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, portfolioEvents, portfolioDecider)).toEqual([]);
});
