import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { analyticsCalls } from "@pro-talent/schemas/analytics/calls";
import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import type { DropReason } from "@pro-talent/schemas/analytics/row";
import { analyticsPaths } from "@pro-talent/schemas/analytics/wire";
import { splitCallName } from "@pro-talent/schemas/primitives/calls";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import type { SearchedStore } from "@pro-talent/schemas/privacy/erasure-search";
import type { FastifyInstance, onRequestHookHandler } from "fastify";

import type { UnderWay } from "./acknowledge-erasures.ts";
import type { CallParts } from "./call-parts.ts";
import type { ConsentGate } from "./consent/consent-gate.ts";
import type { LedgerClient } from "./consent/ledger-client.ts";
import { readersBy } from "./consenting-readers.ts";
import { addConsentDecision } from "./decide-consent.ts";
import type { Erasures } from "./erase/erasures.ts";
import { createCollection } from "./ingest/collection.ts";
import {
  createAnonymousCounters,
  createDropCounters,
  type DropCounters,
  isDropReason,
} from "./ingest/counters.ts";
import type { Locate } from "./ingest/enrich/location.ts";
import type { IsCloud } from "./ingest/enrich/networks.ts";
import { createSessionLimits } from "./ingest/session-limits.ts";
import { hourlyLimits } from "./links/beside-portfolio.ts";
import type { IsOwner } from "./links/owners.ts";
import type { Portfolios } from "./links/portfolios.ts";
import type { Links } from "./links/resolve-links.ts";
import { unlockedPortfolios } from "./links/unlocked-portfolios.ts";
import { viewingTickets } from "./links/viewing-tickets.ts";
import type { LinkVisitors } from "./links/visitors.ts";
import type { BacklogFacts, CollectorMetrics } from "./metrics.ts";
import { addLinkOpens } from "./open-link.ts";
import type { OpenParts } from "./record-open.ts";
import { addServerCall } from "./report-server.ts";
import { addBatchCall, addReportCalls } from "./report.ts";
import { createPseudonyms, createReaderKeys, type DerivedKeys } from "./session/identity.ts";
import { createSessionTokens } from "./session/session-token.ts";
import type { Spool } from "./spool/spool.ts";
import { addSessionStart } from "./start-session.ts";
import { addLinkViews } from "./view-link.ts";
import { addPortfolios, portfolioPath } from "./view-portfolio.ts";
import { addInternalErasures, addVisitorData } from "./visitor-data.ts";

/** An address, which may be that of a company or a mobile network, has many visitors who move about. */
const reportsPerCall = 20;

/** Of an address in a minute: each reads or erases all that is stored of a visitor. */
const visitorCallsOf = ({ callsPerMinute }: Pick<CollectorDeps, "callsPerMinute">): number =>
  Math.ceil(callsPerMinute / 20);

export type CollectorDeps = {
  log: Logger;
  clock: Clock;
  keys: DerivedKeys;
  spool: Pick<Spool, "append" | "bytes" | "healthy">;
  spoolBytesMax: number;
  gate: ConsentGate;
  ledger: LedgerClient;
  /** What share links open, and who opened them lately. */
  links: Links;
  portfolios: Portfolios;
  /** Hosts of portfolios, each with the handle of its owner. */
  portfolioDomains?: ReadonlyMap<string, string>;
  visitors: LinkVisitors;
  isOwner: IsOwner;
  isCloud: IsCloud;
  locate: Locate;
  /** Where what is stored is read; everything else reaches ClickHouse through the spool. */
  clickhouse: ClickHouseClient;
  database: string;
  erasures: Erasures;
  /** Searches every store of the collector for what was erased. */
  search: (traces: Traces) => Promise<SearchedStore[]>;
  /** Takes what asks whether something may be stored, and then stores it. */
  underWay: Pick<UnderWay, "track">;
  /** Of an account that is erased nothing is stored, whatever still leads to its links. */
  isSuppressed: (accountId: string) => boolean;
  /** Of the platform's services. */
  internalToken: string;
  metrics: CollectorMetrics;
  backlog: () => BacklogFacts;
  /** Of the site, as in `https://example.com`. */
  publicOrigin: string;
  /** Of the pages behind links: in production another host, which has no sign-in. */
  contentOrigin: string;
  trustedProxies: readonly string[];
  /** Of servers of the site that report events; none by default. */
  serverKeys?: readonly string[];
  /**
   * Starts, and consent calls, that one address may make per minute; reports that one session may
   * make, and a twentieth of those of one address. 0 for no limit.
   */
  callsPerMinute: number;
};

export type CollectorApp = {
  server: FastifyInstance;
  /** Refused records that wait to be written; the caller decides when. */
  drops: DropCounters;
  /** From now on every call is refused with `shutting_down`. */
  stopTaking: () => void;
};

/** The collector over HTTP, from its dependencies; it owns no process, timer or connection. */
export function buildCollectorApp(deps: CollectorDeps): CollectorApp {
  const { clock, metrics } = deps;
  let taking = true;
  const whileTaking = refuseUnless(() => taking);
  const append: Spool["append"] = (records) =>
    deps.spool.append(
      records.filter(({ row }) => !("account_id" in row && deps.isSuppressed(row.account_id))),
    );
  const drops = createDropCounters({ append, clock });
  const onDrop = (reason: DropReason): void => {
    drops.add(reason);
    metrics.drops.inc({ reason });
  };
  const server = buildServer({
    log: deps.log,
    publicOrigin: deps.publicOrigin,
    bodyBytesMax: analyticsLimits.bodyBytesMax,
    // Of a viewing ticket.
    pathParamCharsMax: 1024,
    trustedProxies: deps.trustedProxies,
    keys: deps.serverKeys,
    internalToken: deps.internalToken,
    onProblem: (code, request) => {
      metrics.requests.inc({ route: request.routeOptions.url ?? "none", outcome: code });
      if (isDropReason(code)) onDrop(code);
    },
  });
  const parts = callParts(deps, append, onDrop);
  const readerKeyOf = createReaderKeys(deps.keys.readersKey);
  const findReader = readersBy({ ...deps, pseudonymise: parts.pseudonymise, readerKeyOf });
  void server.register(async (scope) => {
    scope.addHook("onRequest", whileTaking);
    await scope.register((reports) => addReports(reports, parts, deps));
    await addLinks(scope, { ...deps, append, findReader });
  });
  void server.register(async (scope) => {
    await limitRate(scope, { reads: deps.callsPerMinute, writes: visitorCallsOf(deps) });
    addVisitorData(scope, { ...deps, pseudonymise: parts.pseudonymise, readerKeyOf });
  });
  void server.register(async (scope) => addInternalErasures(scope, { ...deps, readerKeyOf }));
  refuseOtherMethods(server);
  addHealthRoutes(server, {
    metrics: metrics.registry,
    // ClickHouse is not among them: while the spool has space, everything acknowledged is safe.
    ready: [
      { name: "spool", check: async () => deps.spool.healthy() },
      { name: "spool_space", check: async () => deps.spool.bytes() < deps.spoolBytesMax },
      { name: "consent_gate", check: () => deps.gate.reachable() },
      { name: "taking_calls", check: async () => taking },
    ],
    facts: () => {
      const { shipping, bytes, segments } = deps.backlog();
      return { shipping, backlogBytes: bytes, backlogSegments: segments };
    },
  });
  return { server, drops, stopTaking: () => (taking = false) };
}

/** The addresses of share links, and the pages behind them and of portfolios, which have an origin of their own. */
async function addLinks(
  app: FastifyInstance,
  deps: CollectorDeps & Pick<OpenParts, "append" | "findReader">,
): Promise<void> {
  const { keys, contentOrigin, publicOrigin, portfolioDomains: domains = new Map() } = deps;
  const parts = {
    ...deps,
    tickets: viewingTickets(keys.ticketKeys),
    unlocked: unlockedPortfolios(keys.ticketKeys),
    hourly: hourlyLimits(),
    domains,
    opensPerMinute: deps.callsPerMinute,
    isElsewhere: (host: string): boolean =>
      contentOrigin !== publicOrigin && host !== new URL(contentOrigin).host && !domains.has(host),
  };
  await app.register((scope) => addLinkOpens(scope, parts));
  await app.register(async (pages) => {
    pages.addHook("onRequest", async ({ host, url, routeOptions }, reply) => {
      const isElsewhere = parts.isElsewhere(host) && routeOptions.url !== portfolioPath;
      return isElsewhere ? reply.redirect(`${contentOrigin}${url}`, 308) : undefined;
    });
    await pages.register((scope) => addLinkViews(scope, parts));
    await pages.register((scope) => addPortfolios(scope, parts));
  });
}

/** The calls of the site's client and of its servers. */
async function addReports(
  app: FastifyInstance,
  parts: CallParts,
  { callsPerMinute, underWay }: CollectorDeps,
): Promise<void> {
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    route.handler = async function tracked(request, reply) {
      return await underWay.track((async () => handler.call(this, request, reply))());
    };
  });
  // Batches of an address are as many as its starts: each counts for its session as its events.
  for (const addLimited of [addSessionStart, addConsentDecision, addBatchCall, addServerCall]) {
    await app.register(async (scope) => {
      await limitRate(scope, { writes: callsPerMinute });
      addLimited(scope, parts);
    });
  }
  await app.register(async (scope) => {
    await limitRate(scope, { writes: callsPerMinute * reportsPerCall });
    addReportCalls(scope, parts);
  });
}

function refuseUnless(taking: () => boolean): onRequestHookHandler {
  return (_request, _reply, done) => {
    done(taking() ? undefined : new ProblemError("shutting_down", { retryAfterSeconds: 5 }));
  };
}

function callParts(
  { clock, log, gate, ledger, keys, locate, metrics, callsPerMinute }: CollectorDeps,
  append: Spool["append"],
  onDrop: (reason: DropReason) => void,
): CallParts {
  const onVerdict = (reasons: readonly string[]): void => {
    for (const reason of reasons) metrics.verdicts.inc({ reason });
  };
  return {
    clock,
    log,
    gate,
    ledger,
    tokens: createSessionTokens(keys.tokenKeys),
    pseudonymise: createPseudonyms(keys.visitorKey),
    limits: createSessionLimits(callsPerMinute),
    collection: createCollection({ append, clock, onVerdict, locate }),
    counters: createAnonymousCounters({ append, clock, onRepeat: () => onDrop("duplicate") }),
    onRefusal: onDrop,
    onAnswer: answerCounter(metrics),
  };
}

/** Counters looked up once: resolving labels for each event would cost more than counting. */
function answerCounter({ requests }: CollectorMetrics): CallParts["onAnswer"] {
  const counters = (route: string) => ({
    answered: requests.labels({ route, outcome: "answered" }),
    stored: requests.labels({ route, outcome: "stored" }),
    counted: requests.labels({ route, outcome: "counted" }),
  });
  const calls = {
    session_start: counters(analyticsPaths.sessionStart),
    consent: counters(analyticsPaths.sessionConsent),
    page_view: counters(analyticsPaths.trackPageView),
    click: counters(analyticsPaths.trackClick),
    custom: counters(analyticsPaths.trackEvent),
    measurement: counters(analyticsPaths.trackEvent),
    session_end: counters(analyticsPaths.sessionEnd),
  };
  return (call, result) => calls[call][result].inc();
}

/** The calls are POST only, and for pages of the same origin: no preflight is ever answered. */
function refuseOtherMethods(server: FastifyInstance): void {
  for (const name of Object.keys(analyticsCalls)) {
    server.route({
      method: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
      url: splitCallName(name).path,
      exposeHeadRoute: false,
      handler: async (_request, reply) => {
        void reply.header("allow", "POST");
        throw new ProblemError("method_not_allowed");
      },
    });
  }
}
