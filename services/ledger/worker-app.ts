import type { ServiceAddress } from "@pro-talent/platform/http/service-client";
import type { KeyPeriods } from "@pro-talent/platform/keys/key-periods";
import type { Mailer } from "@pro-talent/platform/mail/mailer";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { buildWorker, type WorkerParts } from "@pro-talent/platform/queue/build-worker";
import { type JobQueue, scheduleJob } from "@pro-talent/platform/queue/connect-queue";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

import { keysCheck, ledgerContext, type LedgerOptions } from "./app.ts";
import { readHeadSettings } from "./heads/head-settings.ts";
import { startPublishing } from "./heads/publish-heads.ts";
import { type Follower, runFollowers, type FollowerRunner } from "./kernel/follow.ts";
import { openKeyring } from "./kernel/keys/keyring.ts";
import { startTurningEpochs } from "./kernel/keys/turn-epochs.ts";
import { startVacuuming } from "./kernel/keys/vacuum.ts";
import { forgetMailsJob, handleForgetMails } from "./kernel/mailboxes.ts";
import { countDeliveries, gaugeDuties, gaugeFollowerLag, gaugeKeys } from "./kernel/metrics.ts";
import {
  type DomainModule,
  joinHandlers,
  type Repeated,
  type WorkerContext,
} from "./kernel/module.ts";
import {
  forgetRecordsJob,
  handleDeliverMessage,
  handleForgetRecords,
  startRelay,
} from "./kernel/outbox.ts";
import { followerOfProcess } from "./kernel/processes.ts";
import { startReconciling } from "./kernel/reconciler.ts";
import { forgetOrphansJob, handleForgetOrphans } from "./kernel/subjects.ts";
import { startSweeping } from "./kernel/timers.ts";
import { modules as allModules } from "./modules.ts";

export type LedgerWorkerOptions = LedgerOptions & {
  readonly queueUrl: string;
  readonly mailer: Mailer;
  readonly insights: ServiceAddress;
  /** Turns epochs of keys and vacuums; the product's worker always does. */
  readonly keeping?: { readonly keeper: Sql; readonly periods: KeyPeriods };
  /** How long a worker has for a message's first attempt, unless it is the usual time. */
  readonly firstWaitMs?: number;
  /** How often timers are swept, unless as usual. */
  readonly sweepEveryMs?: number;
};

/** How many messages one worker delivers at once. */
export const deliveriesAtOnce = 4;
/** How many timers that wait for external servers it fires at once. */
const slowTimersAtOnce = 4;
/**
 * What holds a lock on one connection needs another one to work on: a delivery holds its message, may
 * hold an issue's delivery beside it, and reads; a sweep holds each timer that it fires. One more than can
 * be held at once lets all go on.
 */
export const ledgerConnectionsMin = 2 * deliveriesAtOnce + 1 + slowTimersAtOnce + 1;

const hourMs = 60 * 60 * 1000;
const hourly = [forgetOrphansJob, forgetMailsJob, forgetRecordsJob].map((job) =>
  scheduleJob(job, {}, hourMs),
);
const silentMsMax = 60_000;

/**
 * The ledger's worker: relays and delivers outbox messages, fires and reconciles timers, runs
 * processes and scheduled jobs, and serves health and metrics over HTTP.
 * @throws when the pool is too small (deliveries would wait for each other), or the queue is away
 */
export async function buildLedgerWorker(options: LedgerWorkerOptions): Promise<FastifyInstance> {
  if (options.sql.options.max < ledgerConnectionsMin) {
    throw new RangeError(`The ledger's worker needs ${ledgerConnectionsMin} connections`);
  }
  return await buildWorker({
    name: "ledger",
    queueUrl: options.queueUrl,
    log: options.log,
    publicOrigin: options.publicOrigin,
    concurrency: deliveriesAtOnce,
    prepare: (host) => prepareParts(options, host),
  });
}

/** The worker's parts; nothing runs before `start`. */
export function prepareParts(
  options: Omit<LedgerWorkerOptions, "queueUrl">,
  { queue, metrics }: { queue: Pick<JobQueue, "add">; metrics: Registry },
): WorkerParts {
  const { sql, log, environment = {}, modules = allModules, firstWaitMs } = options;
  const stopping = new AbortController();
  const keyring = openKeyring(options);
  const context: WorkerContext = {
    ...ledgerContext(options, keyring),
    mailer: options.mailer,
    insights: options.insights,
    stopping: stopping.signal,
  };
  const messages = modules.map((module) => module.messages(context, environment));
  const processes = followersOf(modules, context);
  const { onDelivery, onGivenUp } = countDeliveries(metrics, sql);
  gaugeFollowerLag(metrics, sql);
  const handlers = joinHandlers("message", messages);
  const kinds = modules.flatMap(({ streams }) => streams);
  gaugeKeys(metrics, sql);
  gaugeDuties(metrics, sql, kinds);
  let loops: Loops | undefined;
  let starting: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    // With a wrong key each attempt would fail, until messages are given up.
    await keyring.untilUsable(stopping.signal);
    if (stopping.signal.aborted) return;
    loops = {
      relay: startRelay({ sql, queue, log, onGivenUp, firstWaitMs }),
      sweepers: startSweepers(options, context),
      reconciler: startReconciling({ sql, kinds, log, metrics }),
      followers: runFollowers(sql, processes, log),
      others: startOthers(options, context),
    };
  };
  return {
    jobs: [
      handleDeliverMessage({ sql, handlers, observe: onDelivery }),
      handleForgetOrphans(sql),
      handleForgetMails(sql),
      handleForgetRecords(sql),
    ],
    schedules: hourly,
    ready: [
      { name: "postgres", check: async () => (await sql`select`).length === 1 },
      keysCheck(keyring),
      { name: "relay", check: async () => works(loops?.relay) },
      { name: "sweeper", check: async () => loops?.sweepers.every(works) === true },
      { name: "processes", check: async () => loops?.followers.failing().length === 0 },
    ],
    start: () => {
      starting ??= start();
    },
    stop: async () => {
      stopping.abort();
      await starting;
      const running = Object.values(loops ?? {}).flat();
      await Promise.all(running.map((loop) => loop.stop()));
    },
  };
}

/** What runs the processes of these domains. */
export function followersOf(
  modules: readonly DomainModule[],
  { ledger }: Pick<WorkerContext, "ledger">,
): readonly Follower[] {
  const families = modules.flatMap(({ events }) => events);
  return modules
    .flatMap((module) => module.processes)
    .map((process) => followerOfProcess(process, { ledger, families }));
}

/** What runs beside the queue's jobs. */
type Loops = {
  readonly relay: Repetition;
  readonly sweepers: readonly Repetition[];
  readonly reconciler: Repetition;
  readonly followers: FollowerRunner;
  readonly others: readonly Repetition[];
};

type Options = Omit<LedgerWorkerOptions, "queueUrl">;

/** One fires the timers of all domains in their order, one several at once that wait for others. */
function startSweepers(options: Options, context: WorkerContext): Repetition[] {
  const { sql, log, sweepEveryMs: everyMs, environment = {}, modules = allModules } = options;
  const timers = modules.map((module) => module.timers(context, environment));
  const slowTimers = modules.map((module) => module.slowTimers(context, environment));
  // Joined, names that are declared twice are found.
  joinHandlers("timer", [...timers, ...slowTimers]);
  const [handlers, slow] = [joinHandlers("timer", timers), joinHandlers("timer", slowTimers)];
  const shared = { sql, log, everyMs };
  return [
    startSweeping({ ...shared, handlers, elsewhere: Object.keys(slow) }),
    startSweeping({
      ...shared,
      handlers: slow,
      elsewhere: Object.keys(handlers),
      atOnce: slowTimersAtOnce,
    }),
  ];
}

function startKeeping({ keeping, keys, log }: Options): Repetition[] {
  if (keeping === undefined) return [];
  const { keeper, periods } = keeping;
  return [startTurningEpochs({ keeper, keys, periods, log }), startVacuuming(keeper, log)];
}

function startPublishingHeads({
  environment = {},
  sql,
  mailer,
  clock,
  log,
}: Options): Repetition[] {
  const settings = readHeadSettings(environment);
  return settings === undefined ? [] : [startPublishing({ ...settings, sql, mailer, clock }, log)];
}

/** What runs beside outbox, timers and processes: keys, heads, and what domains repeat. */
function startOthers(options: Options, context: WorkerContext): Repetition[] {
  const { modules = allModules, environment = {}, log } = options;
  const repeats = modules.flatMap((module) => module.repeats(context, environment));
  return [
    ...startKeeping(options),
    ...startPublishingHeads(options),
    ...repeats.map((work) => startRepeated(work, log)),
  ];
}

function startRepeated({ what, everyMs, run }: Repeated, log: Logger): Repetition {
  return repeat({
    everyMs,
    pass: async () => {
      await run();
      return "wait";
    },
    onFailing: (error) => log.error({ err: error, job: what }, "repeated work of a domain fails"),
  });
}

function works(loop: Repetition | undefined): boolean {
  return loop !== undefined && loop.sinceSuccessMs() < silentMsMax;
}
