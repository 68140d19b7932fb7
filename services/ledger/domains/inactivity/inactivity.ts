import type { Queryable } from "@pro-talent/platform/postgres/pool";
import {
  type InactiveAccount,
  InactivityEvent,
  KnownInactivity,
} from "@pro-talent/schemas/privacy/inactivity";
import { z } from "zod";

import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { column, readModel } from "../../kernel/read-model.ts";
import {
  type InactivityCommand,
  inactivityDecider,
  type InactivityRefusal,
  type InactivityState,
  type InactivityStep,
  nextStep,
  plannedOn,
} from "./decider.ts";

export const inactivityEvents = defineEvents("inactivity", InactivityEvent);

export const inactivityTimers = {
  first: "inactivity.first-notice",
  second: "inactivity.second-notice",
  deletion: "inactivity.request-deletion",
} as const satisfies Record<InactivityStep, string>;

/** The inactivity of one account: `inactivity-<accountId>`. */
export const inactivities: StreamDefinition<
  InactivityState,
  InactivityCommand,
  InactivityEvent,
  InactivityRefusal
> = {
  events: inactivityEvents,
  decider: inactivityDecider,
  durableWith: "each append",
  reply: ({ status }) => ({ status }),
  timers: (state) => {
    const next = state.status === "none" ? null : nextStep(state);
    return next === null ? [] : [{ name: inactivityTimers[next.step], dueAt: next.dueAt }];
  },
};

/** Accounts that are not used, while that is so. */
export const inactiveAccounts = readModel({
  table: "inactive_account",
  version: 1,
  mode: "inline",
  purpose: "Lists the accounts that are not used, and where their notices stand",
  retention: "Until the account is used again, or deleted",
  events: inactivityEvents,
  key: { account_id: column.uuid("pseudonym", "Names the account") },
  columns: { state: column.json(KnownInactivity)("coarse", "The last use, notices and deletion") },
  evolve: (row, { event, occurredAt }) => {
    const state = inactivityDecider.evolve(row?.state ?? { status: "none" }, event, occurredAt);
    return state.status === "none" ? null : { state };
  },
});

const Row = z.object({ accountId: z.string(), state: KnownInactivity });

/** Accounts that are not used. @param status of them; all when absent */
export async function inactiveRows(
  sql: Queryable,
  status?: KnownInactivity["status"],
): Promise<readonly InactiveAccount[]> {
  const rows = await sql<object[]>`
    select account_id as "accountId", state from ledger.inactive_account
     where ${status ?? null}::text is null or state ->> 'status' = ${status ?? null}::text`;
  return z
    .array(Row)
    .parse(rows)
    .map(({ accountId, state }) => ({
      accountId,
      activeOn: state.activeOn,
      stage: stageOf(state),
      plannedOn: plannedOn(state),
      exemption: state.exemption,
      requestId: state.requestId,
    }))
    .toSorted((a, b) => (a.plannedOn < b.plannedOn ? -1 : 1));
}

function stageOf({ status, refused, exemption, sent }: KnownInactivity): InactiveAccount["stage"] {
  if (status === "requested") return "requested";
  if (refused) return "undeliverable";
  if (exemption !== null) return "exempt";
  if (sent.second !== null) return "second-sent";
  return sent.first === null ? "noted" : "first-sent";
}
