import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { inactivityCalls } from "@pro-talent/schemas/privacy/inactivity";

import { type ContactOf, contactsOver } from "../../contacts.ts";
import type { Exemption } from "../../exemption.ts";
import type { CommandContext } from "../../kernel/commands.ts";
import { unavailable } from "../../kernel/http.ts";
import { defineModule, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import {
  inactiveAccounts,
  inactiveRows,
  inactivities,
  inactivityEvents,
  inactivityTimers,
} from "./inactivity.ts";
import {
  endIfUsed,
  inactivityHandler,
  recordInactivityReturn,
  type Uses,
  usesOver,
  type Watching,
  watchUses,
} from "./watch.ts";

/** What the domain reaches of others, which it may not import. */
export type InactivityParts = {
  readonly exemptions: readonly Exemption[];
  /** These ask the accounts service when absent. */
  readonly uses?: Uses;
  readonly contactOf?: ContactOf;
};

const listedMost = 200;
const watchEveryMs = 5 * 60_000;

const watchingOver = (parts: InactivityParts, context: WorkerContext): Watching => ({
  context,
  exemptions: parts.exemptions,
  uses: parts.uses ?? usesOver(context.accounts),
  contactOf: parts.contactOf ?? contactsOver(context.accounts),
});

/** Accounts that are not used for three years: notices, and a request for deletion by the platform. */
export function inactivityModule(parts: InactivityParts) {
  return defineModule({
    name: "inactivity",
    events: [inactivityEvents],
    streams: [streamKind(inactivities)],
    readModels: [inactiveAccounts],
    mailReturns: recordInactivityReturn,
    routes: async (scope, { ledger, readsPerMinute }) => {
      await limitRate(scope, { reads: readsPerMinute });
      addCalls(scope, inactivityCalls, {
        "GET /api/console/privacy/inactive": async () => {
          const rows = await inactiveRows(ledger.sql).catch(unavailable);
          return { accounts: rows.slice(0, listedMost), total: rows.length };
        },
      });
    },
    slowTimers: (context) => {
      const handler = inactivityHandler(watchingOver(parts, context));
      return Object.fromEntries(Object.values(inactivityTimers).map((name) => [name, handler]));
    },
    repeats: (context) => [
      {
        what: "accounts that are not used",
        everyMs: watchEveryMs,
        run: () =>
          watchUses(watchingOver(parts, context), () => ({
            actor: "service:ledger",
            causationId: randomUUID(),
            correlationId: randomUUID(),
          })),
      },
    ],
  });
}

/** Whether an account is used again, by the accounts service, asked now; that is recorded. */
export const isUsedAgain = (
  context: WorkerContext,
  accountId: string,
  why: CommandContext,
): Promise<boolean> => endIfUsed({ context, uses: usesOver(context.accounts) }, accountId, why);
