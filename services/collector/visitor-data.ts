import { randomUUID } from "node:crypto";

import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import {
  erasureProblems,
  internalAnalyticsSearchCalls,
  internalErasureCalls,
  StoredEvent,
  StoredOpen,
  storedEventsMax,
  visitorDataCalls,
} from "@pro-talent/schemas/analytics/erasure-calls";
import type { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import type { SearchedStore } from "@pro-talent/schemas/privacy/erasure-search";
import type { FastifyInstance } from "fastify";
import { v7 as uuidV7 } from "uuid";
import { z } from "zod";

import type { LedgerClient } from "./consent/ledger-client.ts";
import { idsAtLinks } from "./erase/erase-rows.ts";
import type { Erasures } from "./erase/erasures.ts";
import { type Pseudonymise, type ReaderKeyOf, visitorOfLink } from "./session/identity.ts";

export type VisitorDataParts = {
  readonly clickhouse: ClickHouseClient;
  readonly database: string;
  readonly erasures: Erasures;
  readonly pseudonymise: Pseudonymise;
  readonly readerKeyOf: ReaderKeyOf;
  readonly ledger: LedgerClient;
  readonly clock: Clock;
};

function unavailable(cause: unknown): never {
  throw new ProblemError(erasureProblems.stores_unavailable, { retryAfterSeconds: 5, cause });
}

/** What a visitor of the site can see and erase, by the anonymous id that only their browser has. */
export function addVisitorData(app: FastifyInstance, parts: VisitorDataParts): void {
  const { erasures, pseudonymise, readerKeyOf } = parts;
  addCalls(app, visitorDataCalls, {
    "POST /api/analytics/visitor/data": ({ body }) =>
      storedOf(parts, pseudonymise(body.anonymousId)).catch(unavailable),
    "POST /api/analytics/visitor/erasure": async ({ body }) => {
      const erasureId = randomUUID();
      const id = pseudonymise(body.anonymousId);
      // First: what is reported after this is stored no more, and all that was before is erased.
      await withdraw(parts, id).catch(unavailable);
      const subject = { kind: "visitor", id } as const;
      await erasures.request(erasureId, subject, readerKeyOf).catch(unavailable);
      return { erasureId };
    },
    "GET /api/analytics/visitor/erasure/:erasureId": async ({ params }, { refuse }) =>
      (await erasures.status(params.erasureId).catch(unavailable)) ?? refuse("erasure_not_found"),
  });
}

/** Who asks for erasure consents no more. Without an earlier consent nothing is recorded. */
const withdraw = ({ ledger, clock }: VisitorDataParts, visitorId: VisitorId): Promise<unknown> =>
  ledger.decide({
    commandId: uuidV7({ msecs: clock() }),
    visitorId,
    purpose: "analytics",
    decision: "refuse",
    method: "reject_all",
    notice: null,
  });

type InternalParts = Pick<VisitorDataParts, "erasures" | "readerKeyOf"> & {
  readonly search: (traces: Traces) => Promise<SearchedStore[]>;
};

/** Erasures that the ledger has decided, and searches for what they left. */
export function addInternalErasures(
  app: FastifyInstance,
  { erasures, readerKeyOf, search }: InternalParts,
): void {
  addCalls(app, internalAnalyticsSearchCalls, {
    "POST /internal/analytics/searches": async ({ body }) => ({ stores: await search(body) }),
  });
  addCalls(app, internalErasureCalls, {
    "POST /internal/analytics/erasures": async ({ body: { erasureId, subject } }) => {
      await erasures.request(erasureId, subject, readerKeyOf).catch(unavailable);
      return { status: "recorded" as const };
    },
    "GET /internal/analytics/erasures/:erasureId": async ({ params }, { refuse }) =>
      (await erasures.status(params.erasureId).catch(unavailable)) ?? refuse("erasure_not_found"),
  });
}

const Summary = z.tuple([
  z.object({
    visits: z.number(),
    rows: z.number(),
    first: Instant,
    last: Instant,
  }),
]);

/** Opens of links while the visitor consented, the newest first. */
async function opensOf(
  { clickhouse, database, readerKeyOf }: VisitorDataParts,
  visitorId: VisitorId,
): Promise<StoredOpen[]> {
  const readerKey = readerKeyOf(visitorId);
  const lists = await idsAtLinks({ clickhouse, database }, (id) => visitorOfLink(readerKey, id));
  const opens: StoredOpen[] = [];
  for (const ids of lists) {
    const result = await clickhouse.query({
      query: `SELECT ${Object.keys(StoredOpen.shape).join(", ")} FROM \`${database}\`.link_opens
              WHERE visitor_id IN {ids:Array(UUID)}`,
      query_params: { ids },
      format: "JSONEachRow",
      clickhouse_settings: { date_time_output_format: "iso" },
    });
    opens.push(...z.array(StoredOpen).parse(await result.json()));
  }
  return opens.toSorted((one, other) => (one.occurred_at < other.occurred_at ? 1 : -1));
}

/** One visitor's events, the newest first. */
async function storedOf(parts: VisitorDataParts, visitorId: VisitorId) {
  const { clickhouse, database } = parts;
  const ask = async (query: string): Promise<unknown> => {
    const result = await clickhouse.query({
      query,
      query_params: { visitorId },
      format: "JSONEachRow",
      clickhouse_settings: { date_time_output_format: "iso" },
    });
    return await result.json();
  };
  const from = `FROM \`${database}\`.events WHERE visitor_id = {visitorId:UUID}`;
  const [{ visits, rows, first, last }] = Summary.parse(
    await ask(`SELECT uniqExact(session_id) AS visits, count() AS rows,
                      min(occurred_at) AS first, max(occurred_at) AS last ${from}`),
  );
  const events = await ask(
    `SELECT * EXCEPT (visitor_id) ${from} ORDER BY occurred_at DESC LIMIT ${storedEventsMax}`,
  );
  return {
    visits,
    events: z.array(StoredEvent).parse(events),
    eventsStored: rows,
    opens: await opensOf(parts, visitorId),
    firstAt: rows === 0 ? null : first,
    lastAt: rows === 0 ? null : last,
  };
}
