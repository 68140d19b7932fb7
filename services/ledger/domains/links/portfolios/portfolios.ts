import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { reportReasons } from "@pro-talent/schemas/links/report-reasons";
import { PortfolioEvent } from "@pro-talent/schemas/portfolios/events";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import {
  type CommandContext,
  type CommandResult,
  type Ledger,
  runCommand,
  type StreamDefinition,
} from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import { column, readModel } from "../../../kernel/read-model.ts";
import { type PortfolioCommand, portfolioDecider, type PortfolioState } from "./decider.ts";

/** What was reported about one portfolio; the stream has the id of its account. */
export const portfolioEvents = defineEvents("portfolio", PortfolioEvent);

export const portfolios: StreamDefinition<PortfolioState, PortfolioCommand, PortfolioEvent, never> =
  {
    events: portfolioEvents,
    decider: portfolioDecider,
    durableWith: "each append",
    reply: ({ takenDown }) => ({ takenDown }),
  };

/** Portfolios that were reported or taken down. */
export const portfolioReports = readModel({
  table: "portfolio_report",
  version: 1,
  mode: "inline",
  purpose: "Lists reported portfolios, and answers whether one was taken down",
  retention: "Until the account of its owner is deleted",
  events: portfolioEvents,
  key: { account_id: column.uuid("pseudonym", "Names the owner") },
  columns: {
    taken_down: column.boolean("operational", "By an administrator"),
    reports: column.integer("operational", "How often it was reported"),
    last_reason: column.text("operational", "The reason of the last report, or of the take-down"),
    last_at: column.instant("operational", "When that was"),
  },
  evolve: (row, { event, occurredAt }) => {
    const before = row ?? { taken_down: false, reports: 0 };
    switch (event.type) {
      case "PortfolioReported": {
        const { reason } = event.data;
        return { ...before, reports: before.reports + 1, last_reason: reason, last_at: occurredAt };
      }
      case "PortfolioTakenDown":
        return { ...before, taken_down: true, last_reason: event.data.reason, last_at: occurredAt };
      case "PortfolioReinstated":
        return row && { ...row, taken_down: false };
      case "PortfolioForgotten":
        return null;
    }
  },
  indexes: [],
});

/** Carries out a command about the portfolio of an account. */
export function commandPortfolio(
  ledger: Ledger,
  accountId: string,
  command: PortfolioCommand,
  context: CommandContext,
): Promise<CommandResult<never>> {
  return runCommand(ledger, portfolios, { id: accountId, command, body: command, ...context });
}

const Reported = z.object({
  accountId: z.string(),
  takenDown: z.boolean(),
  reports: z.int(),
  lastReason: z.enum(reportReasons),
  lastAt: z.date().transform((date): Instant => instantFromMs(date.getTime())),
});

/** Reported portfolios, those that were reported last first; or that of one account. */
export async function reportedPortfolios(sql: Queryable, accountId?: string) {
  const rows = await sql<object[]>`
    select account_id as "accountId", taken_down as "takenDown", reports,
           last_reason as "lastReason", last_at as "lastAt"
      from ledger.portfolio_report
     where ${accountId ?? null}::uuid is null or account_id = ${accountId ?? null}
     order by last_at desc limit 200`;
  return z.array(Reported).parse(rows);
}
