import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { buildWorker } from "@pro-talent/platform/queue/build-worker";
import { scheduleJob } from "@pro-talent/platform/queue/connect-queue";
import { defineJob, handleJob } from "@pro-talent/platform/queue/define-job";
import { type Clock, readClock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import { z } from "zod";

import { readWorkerEnv } from "./env.ts";
import { sweepErasures } from "./erase/erase-rows.ts";
import { Erasures, pruneErasures } from "./erase/erasures.ts";
import { destroyRecognition } from "./links/visitors.ts";
import { visitorOfLink } from "./session/identity.ts";
import { pruneClaims } from "./ship/event-claims.ts";
import { storeDays } from "./store-days.ts";

/**
 * A session id opens for two days, so that no event arrives later than that after the first claim of
 * its session; one day more for segments that wait to be shipped.
 */
const { count: claimHours } = retentionPeriods.eventClaims;
const everyMs = 10 * 60_000;

/** Forgets event ids that no client can send again; running it twice forgets nothing more. */
const pruneClaimsJob = defineJob({
  name: "collector.prune-claims",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** Destroys what recognises visitors of links, once its time is over; repeating it changes nothing. */
const destroyRecognitionJob = defineJob({
  name: "collector.destroy-recognition",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** How often requested erasures are looked for; nothing has to wake the worker for them. */
const sweepMs = 5_000;
/** A mutation of large parts takes its time. */
const mutationMsMax = 10 * 60_000;

const dayMs = 24 * 60 * 60_000;
/** How often days that are over are looked at: reports of a visit come some time after midnight, too. */
const storeMs = 5 * 60_000;
/** Those that questions ask about most; earlier ones wait for the next look at all days. */
const recentDays = 31;
const firstDay = "1970-01-01";

/** Stores days that are over: the recent ones in each pass, once a day all of them. */
function storingDays(store: Parameters<typeof storeDays>[0], clock: Clock, log: Logger) {
  let allAt = Number.NEGATIVE_INFINITY;
  const dayBefore = (days: number) => instantFromMs(clock() - days * dayMs).slice(0, 10);
  return repeat({
    everyMs: storeMs,
    pass: async (signal) => {
      const isAll = clock() - allAt >= dayMs;
      const range = { from: isAll ? firstDay : dayBefore(recentDays), to: dayBefore(1) };
      const records = await storeDays(store, range, signal);
      if (isAll && !signal.aborted) allAt = clock();
      if (records > 0) log.info({ records }, "days that are over were stored for questions");
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "days wait to be stored: ClickHouse refuses"),
  });
}

/** Opens the collector's worker: it prunes claims and what recognises visitors, erases rows, and stores days. */
export const openCollectorWorker: OpenService = async (source, log) => {
  const env = readWorkerEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 2, applicationName: "collector-worker" });
  const clickhouse = connectClickhouse(env.CLICKHOUSE_URL, {
    application: "collector-worker",
    requestTimeoutMs: mutationMsMax,
  });
  const clock = readClock(source);
  const erasures = new Erasures(sql, clock);
  const store = {
    clickhouse,
    database: env.CLICKHOUSE_DATABASE,
    cluster: env.CLICKHOUSE_CLUSTER,
    visitorOfLink,
  };
  const prune = async (): Promise<void> => {
    await pruneClaims(sql, claimHours);
    await pruneErasures(sql, clock());
  };
  const destroy = (): Promise<void> => destroyRecognition(sql, clock());
  const app = await buildWorker({
    name: "collector",
    queueUrl: env.QUEUE_URL,
    log,
    publicOrigin: env.PUBLIC_ORIGIN,
    concurrency: 1,
    prepare: () => ({
      jobs: [handleJob(pruneClaimsJob, prune), handleJob(destroyRecognitionJob, destroy)],
      schedules: [pruneClaimsJob, destroyRecognitionJob].map((job) =>
        scheduleJob(job, {}, everyMs),
      ),
      ready: [{ name: "postgres", check: async () => (await sql`select`).length === 1 }],
    }),
  });
  const sweeping = repeat({
    everyMs: sweepMs,
    pass: async () => {
      const { done } = await sweepErasures(store, erasures);
      if (done > 0) log.info({ records: done }, "subjects were erased from ClickHouse");
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "erasures wait: ClickHouse refuses them"),
  });
  const storing = storingDays(store, clock, log);
  const closing = new Shutdown(log);
  closing.add("days", () => storing.stop());
  closing.add("erasures", () => sweeping.stop());
  closing.add("worker", () => app.close());
  closing.add("clickhouse", () => clickhouse.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};
