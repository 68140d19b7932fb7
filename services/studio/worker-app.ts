import { dataKeyTurn } from "@pro-talent/platform/keys/data-key-epochs";
import type { DataKeyPlace } from "@pro-talent/platform/keys/data-keys";
import type { KeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { startTurning } from "@pro-talent/platform/keys/turn-epochs";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { buildWorker } from "@pro-talent/platform/queue/build-worker";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { Repetition } from "@pro-talent/platform/runtime/repeat";
import type { FastifyInstance } from "fastify";

export type StudioWorkerOptions = {
  readonly queueUrl: string;
  readonly sql: Sql;
  readonly log: Logger;
  readonly clock: Clock;
  readonly keys: DataKeyPlace;
  readonly periods: KeyPeriods;
  /** Of the site, as in `https://example.com`. */
  readonly publicOrigin: string;
};

/** The worker: turns the epochs of keys, and serves health and metrics over HTTP. */
export function buildStudioWorker(options: StudioWorkerOptions): Promise<FastifyInstance> {
  const { queueUrl, sql, log, publicOrigin, keys } = options;
  const loops: Repetition[] = [];
  return buildWorker({
    name: "studio",
    queueUrl,
    log,
    publicOrigin,
    concurrency: 1,
    prepare: () => ({
      jobs: [],
      schedules: [],
      ready: [{ name: "postgres", check: async () => (await sql`select`).length === 1 }],
      start: () => {
        loops.push(startTurning(dataKeyTurn({ ...options, ...keys })));
      },
      stop: async () => {
        await Promise.all(loops.map((loop) => loop.stop()));
      },
    }),
  });
}
