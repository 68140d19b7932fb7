import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { createTestClickhouse } from "@pro-talent/platform/testing/engines";
import { queryProblems } from "@pro-talent/schemas/analysts/calls";
import type { RunnableTile } from "@pro-talent/schemas/analysts/internal-work-calls";
import { workProblems } from "@pro-talent/schemas/analysts/work-calls";
import { noVisitor, OpenRow } from "@pro-talent/schemas/links/opens";
import type { ViewingRow } from "@pro-talent/schemas/links/viewing";
import type { Role } from "@pro-talent/schemas/primitives/access";
import { Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { LightMyRequestResponse } from "fastify";
import { v7 as uuidV7 } from "uuid";

import { AnalystEngines } from "../analysts/engines.ts";
import type { EndRecord, QueryRecord } from "../analysts/ledger-of-queries.ts";
import { RunningQueries } from "../analysts/running.ts";
import { buildInsightsApp } from "../app.ts";
import { Questions } from "../ask.ts";
import { LiveOpens } from "../live.ts";
import type { Looked, Owners } from "../owners.ts";

const hourMs = 60 * 60 * 1000;
/** The collector's, which alone writes and migrates. */
const migrations = fileURLToPath(new URL("../../collector/migrations/clickhouse", import.meta.url));
export const internalToken = "internal-token-of-the-tests-0123456789";

/** An account with links, as the other services would describe it. */
export type Holder = {
  readonly accountId: string;
  readonly token: string;
  readonly links: string[];
  plan: "premium" | "free";
  looked: Looked;
  signedIn: boolean;
  readonly roles: readonly Role[];
};

export type Insights = Awaited<ReturnType<typeof openInsightsUnderTest>>;

/** The service on an empty ClickHouse; accounts, plans and links are the test's to state. */
export async function openInsightsUnderTest({ clickhouseUrl }: { clickhouseUrl?: string } = {}) {
  const store = await createTestClickhouse(migrations);
  const { database } = store;
  const clickhouse = connectClickhouse(clickhouseUrl ?? store.url, {
    application: "test",
    database,
  });
  const holders = new Map<string, Holder>();
  const holderOf = (accountId: string): Holder | undefined =>
    [...holders.values()].find((holder) => holder.accountId === accountId);
  const owners: Owners = {
    linksOf: async (accountId) => holderOf(accountId)?.links ?? [],
    oldestLinkAt: async (accountId) =>
      (holderOf(accountId)?.links ?? []).length === 0 ? null : linksMadeAt,
    accessOf: async (accountId) =>
      holderOf(accountId)?.plan === "premium" ? "granted" : "not-included",
    looked: async (accountId) => holderOf(accountId)?.looked ?? { allAt: null, links: [] },
    look: async (accountId, linkId) => {
      const holder = holderOf(accountId);
      const at = instantFromMs(nowMs);
      if (holder === undefined) return;
      const { allAt, links } = holder.looked;
      holder.looked =
        linkId === null ? { allAt: at, links } : { allAt, links: [...links, { linkId, at }] };
    },
  };
  /** Before every open of the tests, by more than a month. */
  const linksMadeAt = Instant.parse("2026-01-05T00:00:00.000Z");
  let nowMs = Date.parse("2026-04-15T12:00:00.000Z");
  const context = { questions: new Questions(clickhouse), owners, clock: () => nowMs };
  const sessions = {
    ofToken: async (token: string) => {
      const holder = holders.get(token);
      if (holder === undefined || !holder.signedIn) return undefined;
      const { accountId, roles } = holder;
      return { accountId, roles, sessionId: accountId, factor: true, authenticatedMs: nowMs };
    },
    ofTicket: async () => undefined,
    /** Of a program: `pt_` and the holder's token, with the scope for opens; `pt_a_`, with that for queries. */
    ofAccessToken: async (token: string) => {
      const holder = holders.get(token.replace(/^pt_(?:a_)?/, ""));
      if (holder === undefined || !token.startsWith("pt_")) return undefined;
      const { accountId } = holder;
      const scopes = [
        token.startsWith("pt_a_") ? ("analytics:query" as const) : ("opens:read" as const),
      ];
      return { accountId, tokenId: accountId, scopes };
    },
  };
  const records: (QueryRecord & { readonly ranMs: number })[] = [];
  const ends: EndRecord[] = [];
  /** What tiles run, by their ids; the ledger's to state. */
  const tiles = new Map<string, RunnableTile>();
  const engines = new AnalystEngines({
    url: clickhouseUrl ?? store.url,
    database,
    pseudonymSecret: Buffer.alloc(32, 7),
    usersSecret: undefined,
  });
  const analysts = {
    engineOf: (analystId: string) => engines.of(analystId),
    record: async (record: QueryRecord) => {
      if (records.some(({ queryId }) => queryId === record.queryId)) {
        throw new ProblemError(queryProblems.query_id_used);
      }
      if (!ledger.answers) throw new ProblemError("ledger_unavailable");
      records.push({ ...record, ranMs: nowMs });
    },
    recordEnd: async (end: EndRecord) => {
      if (!ledger.answers) throw new ProblemError("ledger_unavailable");
      ends.push(end);
    },
    usedBy: async (analystId: string) => {
      const own = ledger.records.filter(
        (record) => record.analystId === analystId && record.ranMs > nowMs - hourMs,
      );
      const rowsRead = own.reduce((sum, record) => sum + (record.rowsRead ?? 0), 0);
      const firstAt = own[0] === undefined ? null : instantFromMs(own[0].ranMs);
      return { queries: own.length, rowsRead, firstAt };
    },
    running: new RunningQueries(() => nowMs),
    clock: () => nowMs,
    tileOf: async ({ tileId }: { tileId: string }) => {
      const tile = tiles.get(tileId);
      if (tile === undefined) throw new ProblemError(workProblems.tile_not_found);
      return tile;
    },
  };
  /** Where queries of analysts are recorded. */
  const ledger = { answers: true, records, ends };
  const log = createLogger({ service: "test", level: "silent" });
  const live = new LiveOpens({ context, sessions, log });
  const app = await buildInsightsApp({
    context,
    analysts,
    processes: [],
    sessions,
    live,
    log,
    internalToken,
    publicOrigin: "https://pro-talent.example",
    callsPerMinute: 100_000,
    ready: { postgres: async () => true, clickhouse: async () => true },
  });
  const insert = async (table: string, values: readonly object[]): Promise<void> => {
    await store.client.insert({
      table: `${database}.${table}`,
      values: [...values],
      format: "JSONEachRow",
      clickhouse_settings: { date_time_input_format: "best_effort" },
    });
  };
  return {
    app,
    live,
    ledger,
    tiles,
    analysts,
    clickhouse,
    clickhouseUrl: store.url,
    database,
    insert,
    at: (instant: string) => void (nowMs = Date.parse(instant)),
    /** An account with so many links. */
    holder: (links = 1, about: Partial<Pick<Holder, "plan" | "roles">> = {}): Holder => {
      const holder: Holder = {
        accountId: randomUUID(),
        token: randomUUID(),
        links: Array.from({ length: links }, () => randomUUID()),
        plan: "premium",
        looked: { allAt: null, links: [] },
        signedIn: true,
        roles: ["holder"],
        ...about,
      };
      holders.set(holder.token, holder);
      return holder;
    },
    store: async (opens: readonly OpenRow[], reports: readonly ViewingRow[] = []) => {
      if (opens.length > 0) await insert("opens_in", opens);
      if (reports.length > 0) await insert("reports_in", reports);
    },
    get: (holder: Holder, url: string): Promise<LightMyRequestResponse> =>
      app.inject({ url, headers: { authorization: `Bearer ${holder.token}` } }),
    close: async () => {
      await app.close();
      await engines.close();
      await clickhouse.close();
      await store.drop();
    },
  };
}

/** An open by a person of a link elsewhere, with what a test wants to say about it. */
export function openRow(
  holder: Holder,
  occurredAt: string,
  about: Partial<Record<keyof OpenRow, unknown>> = {},
): OpenRow {
  return OpenRow.parse({
    event_id: uuidV7(),
    link_id: holder.links[0],
    account_id: holder.accountId,
    occurred_at: occurredAt,
    leads_to: "external",
    exclusion: "",
    reasons: [],
    visitor_id: randomUUID(),
    browser: "Firefox",
    os: "Linux",
    device_class: "desktop",
    country: "IL",
    region: "Haifa",
    city: "Haifa",
    referrer_domain: "linkedin.com",
    channel: "social",
    ...about,
  });
}

/** What a page reports of an open, so many seconds after it. */
export function reportOf(open: OpenRow, seen: Partial<ViewingRow> = {}): ViewingRow {
  const openedAt: Instant = open.occurred_at;
  return {
    report_id: uuidV7(),
    event_id: open.event_id,
    link_id: open.link_id,
    account_id: open.account_id,
    opened_at: openedAt,
    reported_at: instantPlus(openedAt, 1_000 * (seen.seconds ?? 1)),
    seconds: 1,
    pages: 0,
    pages_total: 0,
    downloaded: false,
    ...seen,
  };
}

export { noVisitor };
