import type { ReadinessCheck } from "@pro-talent/platform/http/health";
import type { Mailer } from "@pro-talent/platform/mail/mailer";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import {
  type JobQueue,
  type Schedule,
  scheduleJob,
} from "@pro-talent/platform/queue/connect-queue";
import type { RunnableJob } from "@pro-talent/platform/queue/define-job";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { Repetition } from "@pro-talent/platform/runtime/repeat";
import type { Registry } from "prom-client";

import { createContactHandlers } from "./contact/message-handlers.ts";
import { createLedgerJobsMetrics } from "./jobs-metrics.ts";
import { createIssueHandlers } from "./newsletter-issue/deliver-issue.ts";
import { newsletterLinks } from "./newsletter/links.ts";
import { createNewsletterHandlers, createRefusalRecorder } from "./newsletter/message-handlers.ts";
import { createReaderLookup } from "./newsletter/read-subscriber.ts";
import { createNewsletterTimers } from "./newsletter/timer-handlers.ts";
import { newsletterTokenKey } from "./newsletter/token.ts";
import type { MessageHandlers } from "./outbox/message-handlers.ts";
import { handleDeliverMessage } from "./outbox/outbox.job.ts";
import { startRelay } from "./outbox/relay.ts";
import { forgetOrphansJob, handleForgetOrphans } from "./subjects/forget-orphans.job.ts";
import { openSubjects, type SubjectKeys } from "./subjects/subjects.ts";
import { startSweeping, type TimerHandlers } from "./timers/sweep-timers.ts";

const hourMs = 60 * 60 * 1000;

/** What the ledger wants done again and again. */
export const ledgerSchedules: readonly Schedule[] = [scheduleJob(forgetOrphansJob, {}, hourMs)];

/** What the ledger wants done, and how. */
export type LedgerWork = {
  /** Pool of the role `ledger_app`, of at least {@link ledgerConnectionsMin} connections. */
  readonly sql: Sql;
  readonly handlers: MessageHandlers;
  readonly timers: TimerHandlers;
  /** How long a worker has for a message's first turn, unless it is the usual time. */
  readonly firstWaitMs?: number;
  /** Told when the host begins to stop, so that long work can end at its next step. */
  readonly onStop?: () => void;
};

/** The ledger's part of a host of jobs. */
export type LedgerJobs = {
  readonly jobs: readonly RunnableJob[];
  readonly ready: readonly ReadinessCheck[];
  /** Begins to relay messages and to sweep timers. */
  readonly start: () => void;
  /** Ends both, after what they have under way. */
  readonly stop: () => Promise<void>;
};

/** How many messages a host may deliver at once. */
export const deliveriesAtOnce = 4;
/**
 * Whoever holds a lock on one connection needs another one to work on: a delivery holds its message,
 * may hold a letter beside it, and reads; a sweep holds its timer. One more than can be held at once
 * is enough for all to go on.
 */
export const ledgerConnectionsMin = 2 * deliveriesAtOnce + 1 + 1;

const silentMsMax = 60_000;

/**
 * Prepares the ledger's jobs; nothing runs before `start`, so that the host can have its worker ready.
 * @throws when the pool is too small: deliveries would wait for each other
 */
export function prepareLedgerJobs(
  work: LedgerWork,
  host: { queue: Pick<JobQueue, "add">; log: Logger; metrics: Registry },
): LedgerJobs {
  const { sql, handlers, timers, firstWaitMs } = work;
  if (sql.options.max < ledgerConnectionsMin) {
    throw new RangeError(`The ledger's jobs need ${ledgerConnectionsMin} connections`);
  }
  const { queue, log } = host;
  const { onDelivery, onGivenUp } = createLedgerJobsMetrics(sql, host.metrics);
  let relay: Repetition | undefined;
  let sweeper: Repetition | undefined;
  return {
    jobs: [handleDeliverMessage({ sql, handlers, observe: onDelivery }), handleForgetOrphans(sql)],
    ready: [
      { name: "relay", check: async () => works(relay) },
      { name: "sweeper", check: async () => works(sweeper) },
    ],
    start: () => {
      const wait = firstWaitMs === undefined ? {} : { firstWaitMs };
      relay ??= startRelay({ sql, queue, log, onGivenUp, ...wait });
      sweeper ??= startSweeping({ sql, handlers: timers, log });
    },
    stop: async () => {
      work.onStop?.();
      await Promise.all([relay?.stop(), sweeper?.stop()]);
    },
  };
}

function works(loop: Repetition | undefined): boolean {
  return loop !== undefined && loop.sinceSuccessMs() < silentMsMax;
}

export type LedgerWorkOptions = {
  readonly sql: Sql;
  readonly firstWaitMs: number;
  readonly clock: Clock;
  readonly subjectKeys: SubjectKeys;
  readonly mailer: Mailer;
  readonly supportAddress: string;
  /** Where the site is, as mails name it. */
  readonly origin: string;
  /** Letters of an issue that a host sends in a second. */
  readonly newsletterPerSecond: number;
};

/** Everything that follows from the ledger's events and clocks, of all domains. */
export function composeLedgerWork(options: LedgerWorkOptions): LedgerWork {
  const { sql, firstWaitMs, clock, subjectKeys, mailer, supportAddress, origin } = options;
  const store = { sql };
  const subjects = openSubjects(sql, subjectKeys);
  const stopping = new AbortController();
  const newsletter = {
    store,
    subjects,
    mailer,
    origin,
    clock,
    tokenKey: newsletterTokenKey(subjectKeys.lookupKey),
  };
  return {
    sql,
    firstWaitMs,
    handlers: {
      ...createContactHandlers({ store, subjects, mailer, supportAddress, origin }),
      ...createNewsletterHandlers(newsletter),
      ...createIssueHandlers({
        store,
        mailer,
        clock,
        origin,
        perSecond: options.newsletterPerSecond,
        readSubscriber: createReaderLookup(newsletter, newsletterLinks(newsletter)),
        onRefused: createRefusalRecorder(newsletter),
        signal: stopping.signal,
      }),
    },
    timers: createNewsletterTimers(newsletter),
    onStop: () => stopping.abort(),
  };
}
