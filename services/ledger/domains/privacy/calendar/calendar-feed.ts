import { createHmac, hash, randomUUID } from "node:crypto";

import { addCalls, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { calendarFeedCalls, CalendarFeedEvent } from "@pro-talent/schemas/privacy/calendar-feed";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { runCommand, type StreamDefinition } from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import { requestContext, storeProblem, unavailable } from "../../../kernel/http.ts";
import type { HttpContext } from "../../../kernel/module.ts";
import { column, readModel } from "../../../kernel/read-model.ts";
import type { OfficersOf } from "../officer-mails.ts";
import type { Caller } from "../own-requests.ts";
import { calendarFile } from "./calendar-file.ts";
import { feedEntries } from "./running-clocks.ts";

export const feedEvents = defineEvents("feed", CalendarFeedEvent);

type Command =
  | { readonly type: "MakeFeed"; readonly tokenSha256: string }
  | { readonly type: "RevokeFeed" };
type State = { readonly isMade: boolean };

/** The calendar feed of one officer: `feed-<accountId>`. */
const feeds: StreamDefinition<State, Command, CalendarFeedEvent, never> = {
  events: feedEvents,
  decider: {
    initialState: { isMade: false },
    decide: (command, { isMade }) => {
      if (command.type === "MakeFeed")
        return [{ type: "CalendarFeedMade", data: { tokenSha256: command.tokenSha256 } }];
      return isMade ? [{ type: "CalendarFeedRevoked", data: {} }] : [];
    },
    evolve: (_state, { type }) => ({ isMade: type === "CalendarFeedMade" }),
  },
  durableWith: "each append",
  reply: ({ isMade }) => ({ isMade }),
};

/** Feeds that were made and not revoked. */
export const calendarFeeds = readModel({
  table: "calendar_feed",
  version: 1,
  mode: "inline",
  purpose: "The secret addresses at which officers read the calendar of clocks",
  retention: "Until the officer revokes it",
  events: feedEvents,
  key: { officer_id: column.uuid("pseudonym", "Names the officer") },
  columns: {
    token_sha256: column.text("operational", "Hash of the token; the token is not stored"),
    made_at: column.instant("operational", "When it was made"),
  },
  evolve: (_row, { event, occurredAt }) =>
    event.type === "CalendarFeedMade"
      ? { token_sha256: event.data.tokenSha256, made_at: occurredAt }
      : null,
  indexes: [{ on: "(token_sha256)" }],
});

const Row = z.object({
  officerId: z.string(),
  madeAt: z.date().transform((date): Instant => instantFromMs(date.getTime())),
});

async function feedWhere(sql: Queryable, by: { officerId: string } | { token: string }) {
  const isIt =
    "token" in by
      ? sql`token_sha256 = ${hash("sha256", by.token)}`
      : sql`officer_id = ${by.officerId}`;
  const rows = await sql<object[]>`
    select officer_id as "officerId", made_at as "madeAt" from ledger.calendar_feed where ${isIt}`;
  return z.array(Row).parse(rows)[0];
}

type Parts = { readonly context: HttpContext; readonly officersOf: OfficersOf };

/** The calendar of clocks for calendar programs: its address is made, revoked, and read. */
export async function addCalendarFeed(
  app: FastifyInstance,
  { context, officersOf }: Parts,
): Promise<void> {
  const { ledger, clock, publicOrigin } = context;
  const { sql } = ledger;
  const tokenKey = context.deriveKey("calendar feeds");
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  const command = async ({ request, account }: Caller, issued: Command): Promise<void> => {
    const result = await runCommand(ledger, feeds, {
      ...requestContext(context, request, `officer:${account.accountId}`),
      id: account.accountId,
      command: issued,
      body: { type: issued.type },
      commandId: idempotencyKey(request),
    }).catch(unavailable);
    if (result.kind !== "answer") throw storeProblem(result.code);
  };
  const madeAt = async ({ account: { accountId: officerId } }: Caller) =>
    (await feedWhere(sql, { officerId }).catch(unavailable))?.madeAt ?? null;
  addCalls(app, calendarFeedCalls, {
    "GET /api/console/privacy/calendar-feed": async (_input, caller) => ({
      madeAt: await madeAt(caller),
    }),
    "POST /api/console/privacy/calendar-feed": async (_input, caller) => {
      // The same for a call that is repeated, which answers what was recorded at first.
      const called = `${caller.account.accountId} ${idempotencyKey(caller.request) ?? randomUUID()}`;
      const token = createHmac("sha256", tokenKey).update(called).digest("base64url");
      await command(caller, { type: "MakeFeed", tokenSha256: hash("sha256", token) });
      return { madeAt: await madeAt(caller), url: `${publicOrigin}/api/privacy/calendar/${token}` };
    },
    "POST /api/console/privacy/calendar-feed/revoke": async (_input, caller) => {
      await command(caller, { type: "RevokeFeed" });
      return { madeAt: await madeAt(caller) };
    },
    "GET /api/privacy/calendar/:token": async ({ params, query }, { refuse }) => {
      const feed = await feedWhere(sql, params).catch(unavailable);
      if (feed === undefined) return refuse("feed_unknown");
      // Who is no officer any more has the address still.
      const officers = await officersOf().catch(unavailable);
      if (!officers.includes(feed.officerId)) return refuse("feed_unknown");
      const now = instantFromMs(clock());
      const entries = await feedEntries(sql, now).catch(unavailable);
      const made = { language: query.language, at: now, origin: publicOrigin };
      return new FileAnswer(
        Buffer.from(calendarFile(entries, made)),
        "text/calendar",
        "privacy-clocks.ics",
      );
    },
  });
}
