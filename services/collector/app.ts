import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import type { DropReason } from "@pro-talent/schemas/analytics/row";
import { analyticsPaths } from "@pro-talent/schemas/analytics/wire";
import type { FastifyInstance } from "fastify";

import type { ConsentGate } from "./consent/consent-gate.ts";
import type { LedgerClient } from "./consent/ledger-client.ts";
import { addConsentRoutes } from "./consent/routes.ts";
import { trackingSignal } from "./consent/tracking-signals.ts";
import { createCollection } from "./ingest/collection.ts";
import { createAnonymousCounters } from "./ingest/counters/anonymous-counters.ts";
import {
  createDropCounters,
  type DropCounters,
  isDropReason,
} from "./ingest/counters/drop-counters.ts";
import { arrivalOf } from "./ingest/enrich/arrival.ts";
import type { Locate } from "./ingest/enrich/location.ts";
import { createRateLimit } from "./ingest/rate-limit.ts";
import { addIngestRoutes, type IngestPorts, type ReportKind } from "./ingest/routes.ts";
import type { BacklogFacts, CollectorMetrics } from "./metrics.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { DerivedKeys } from "./session/derived-keys.ts";
import { addSessionRoutes } from "./session/routes.ts";
import { createSessionTokens } from "./session/session-token.ts";
import { createPseudonyms } from "./session/visitor-pseudonym.ts";
import type { SpoolRecord } from "./spool/record.ts";
import type { Spool } from "./spool/spool.ts";

export type CollectorDeps = {
  log: Logger;
  clock: Clock;
  keys: DerivedKeys;
  spool: Pick<Spool, "append" | "bytes" | "healthy">;
  spoolBytesMax: number;
  gate: ConsentGate;
  ledger: LedgerClient;
  locate: Locate;
  metrics: CollectorMetrics;
  backlog: () => BacklogFacts;
  trustedProxies: readonly string[];
  /** Starts, and consent calls, that one address may make per minute; 0 for no limit. */
  callsPerMinute: number;
};

export type CollectorApp = {
  server: FastifyInstance;
  /** Refused and marked records that wait to be written; the caller decides when. */
  drops: DropCounters;
  /** From now on every call is refused with `shutting_down`. */
  stopTaking: () => void;
};

/** The collector over HTTP, from its dependencies; it owns no process, timer or connection. */
export function buildCollectorApp(deps: CollectorDeps): CollectorApp {
  const { clock, metrics } = deps;
  let taking = true;
  const append = (records: readonly SpoolRecord[]): Promise<void> => deps.spool.append(records);
  const drops = createDropCounters({ append, clock });
  const onDrop = (reason: DropReason): void => {
    drops.add(reason);
    metrics.drops.inc({ reason });
  };
  const server = buildServer({
    log: deps.log,
    bodyBytesMax: analyticsLimits.bodyBytesMax,
    trustedProxies: deps.trustedProxies,
    onProblem: (code, request) => {
      metrics.requests.inc({ route: request.routeOptions.url ?? "none", outcome: code });
      if (isDropReason(code)) onDrop(code);
    },
  });
  const assertTaking = (): void => {
    if (!taking) throw new ProblemError("shutting_down", { retryAfterSeconds: 5 });
  };
  addCalls(server, { deps, append, onDrop, assertTaking });
  refuseOtherMethods(server);
  addHealthRoutes(server, {
    metrics: metrics.registry,
    // ClickHouse is not among them: while the spool has room, everything acknowledged is safe.
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

type Append = (records: readonly SpoolRecord[]) => Promise<void>;

type CallParts = {
  deps: CollectorDeps;
  append: Append;
  onDrop: (reason: DropReason) => void;
  assertTaking: () => void;
};

function addCalls(
  server: FastifyInstance,
  { deps, append, onDrop, assertTaking }: CallParts,
): void {
  const { clock, gate, metrics, log } = deps;
  const tokens = createSessionTokens(deps.keys.tokenKeys);
  const counters = createAnonymousCounters({ append, clock, onRepeat: () => onDrop("duplicate") });
  const onVerdict = (reasons: readonly string[]): void => {
    for (const reason of reasons) metrics.verdicts.inc({ reason });
  };
  const collection = createCollection({ append, clock, onDrop, onVerdict, locate: deps.locate });
  const openSession = (sessionId: string, nowMs: number): SessionFacts => {
    assertTaking();
    const session = tokens.open(sessionId, nowMs);
    if (session === undefined) throw new ProblemError("unknown_session");
    return session;
  };
  const admission = () => {
    const limit = createRateLimit(deps.callsPerMinute, clock);
    return (address: string): void => {
      assertTaking();
      limit.take(address);
    };
  };
  const granted = (visitorId: string): Promise<boolean> => gate.granted(visitorId);

  addSessionRoutes(server, {
    clock,
    tokens,
    pseudonymise: createPseudonyms(deps.keys.visitorKey),
    admit: admission(),
    arrivalOf,
    signal: trackingSignal,
    granted,
    onConsentedStart: (request, session) => collection.storeStart(request, session),
    onAnonymousStart: (page, reason) => counters.visit({ metric: "session", page, reason }),
    onAnswered: counterOf(metrics, analyticsPaths.sessionStart),
  });
  addConsentRoutes(server, {
    clock,
    ledger: deps.ledger,
    admit: admission(),
    openSession,
    onGranted: (request, session) => collection.storeStart(request, session),
    onCounted: (count) => counters.decision(count),
    onUncounted: (error) => log.warn({ err: error }, "a refusal could not be counted"),
    onAnswered: counterOf(metrics, analyticsPaths.sessionConsent),
  });
  addIngestRoutes(server, {
    clock,
    openSession,
    signal: trackingSignal,
    granted,
    collection,
    counters,
    onOutcome: outcomeCounters(metrics),
  });
}

const routes: Readonly<Record<ReportKind, string>> = {
  page_view: analyticsPaths.trackPageView,
  click: analyticsPaths.trackClick,
  custom: analyticsPaths.trackEvent,
  session_end: analyticsPaths.sessionEnd,
};

function counterOf({ requests }: CollectorMetrics, route: string): () => void {
  const counter = requests.labels({ route, outcome: "answered" });
  return () => counter.inc();
}

/** Counters looked up once: naming their labels for each event would cost more than counting. */
function outcomeCounters({ requests }: CollectorMetrics): IngestPorts["onOutcome"] {
  const pair = (kind: ReportKind) => ({
    stored: requests.labels({ route: routes[kind], outcome: "stored" }),
    counted: requests.labels({ route: routes[kind], outcome: "counted" }),
  });
  const counters = {
    page_view: pair("page_view"),
    click: pair("click"),
    custom: pair("custom"),
    session_end: pair("session_end"),
  };
  return (kind, outcome) => counters[kind][outcome].inc();
}

/** The calls are POST only, and for pages of the same origin: no preflight is ever answered. */
function refuseOtherMethods(server: FastifyInstance): void {
  for (const url of Object.values(analyticsPaths)) {
    server.route({
      method: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
      url,
      exposeHeadRoute: false,
      handler: async (_request, reply) => {
        void reply.header("allow", "POST");
        throw new ProblemError("method_not_allowed");
      },
    });
  }
}
