import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { lookupCalls, LookupEvent } from "@pro-talent/schemas/privacy/lookup";
import type { FastifyInstance } from "fastify";

import type { AccountOf, ContactOf } from "../../contacts.ts";
import { runCommand, type StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { requestContext, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { requester } from "../../restriction.ts";
import { queuedViews } from "./officer-queue.ts";
import { findRequest, requestsOf } from "./read-models.ts";

export const lookupEvents = defineEvents("lookup", LookupEvent);

type Command = LookupEvent["data"] & { readonly type: "RecordLookup" };
type State = { readonly isRecorded: boolean };

/** One look-up of an officer: `lookup-<lookupId>`. */
const lookups: StreamDefinition<State, Command, LookupEvent, never> = {
  events: lookupEvents,
  decider: {
    initialState: { isRecorded: false },
    decide: ({ officerId, accountId, found }, { isRecorded }) =>
      isRecorded ? [] : [{ type: "RequestsLookedUp", data: { officerId, accountId, found } }],
    evolve: () => ({ isRecorded: true }),
  },
  durableWith: "each append",
  reply: () => ({ status: "recorded" }),
};

type LookupParts = {
  readonly context: HttpContext;
  readonly accountOf: AccountOf;
  readonly contactOf: ContactOf;
};

/** Finds what a person means who writes without a number: by keyed hashes of the address alone. */
export async function addLookupCalls(
  app: FastifyInstance,
  { context, accountOf, contactOf }: LookupParts,
): Promise<void> {
  const { ledger, subjects } = context;
  await limitRate(app, { writes: context.formsPerMinute });
  addCalls(app, lookupCalls, {
    "POST /api/console/privacy/lookup": async ({ body: { email } }, { request, account }) => {
      const officerId = account.accountId;
      const accountId = await accountOf(email);
      const own = accountId === null ? [] : await requestsOf(ledger.sql, accountId);
      // Those of the form, and those of an account whose address was another one.
      const ids = await subjects.idsOfAddress(requester, email).catch(unavailable);
      const others = ids.filter((id) => !own.some(({ requestId }) => requestId === id));
      const found = await Promise.all(others.map((id) => findRequest(ledger.sql, id)));
      const rows = [...own, ...found.filter((row) => row !== undefined)];
      const command = { type: "RecordLookup", officerId, accountId, found: rows.length } as const;
      await runCommand(ledger, lookups, {
        ...requestContext(context, request, `officer:${officerId}`),
        id: randomUUID(),
        command,
        body: command,
      }).catch(unavailable);
      const requests = await queuedViews({ context, contactOf }, rows, officerId);
      return { requests };
    },
  });
}
