import type { ServiceAddress } from "@pro-talent/platform/http/service-client";
import { dataKeyTurn } from "@pro-talent/platform/keys/data-key-epochs";
import type { DataKeyPlace } from "@pro-talent/platform/keys/data-keys";
import type { KeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { startTurning } from "@pro-talent/platform/keys/turn-epochs";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { buildWorker } from "@pro-talent/platform/queue/build-worker";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import type { FastifyInstance } from "fastify";

import { keepFiles } from "./current-files.ts";
import type { StudioKeys } from "./keys.ts";
import type { CvDrawer } from "./pdf/draw-cv.ts";
import type { DeliveryOf } from "./plans.ts";
import { takeOverPages } from "./portfolio/former-pages.ts";

export type StudioWorkerOptions = {
  readonly queueUrl: string;
  readonly sql: Sql;
  readonly log: Logger;
  readonly clock: Clock;
  readonly keyPlace: DataKeyPlace;
  readonly keys: StudioKeys;
  readonly drawer: CvDrawer;
  readonly deliveryOf: DeliveryOf;
  /** The accounts service, which has pages of before there were portfolios. */
  readonly accounts: ServiceAddress;
  readonly periods: KeyPeriods;
  /** Of the site, as in `https://example.com`. */
  readonly publicOrigin: string;
};

const keepEveryMs = 1_000;
const silentMsMax = 120_000;
const takeOverEveryMs = 60_000;

/** The worker: keeps current files of CVs, makes portfolios of former pages, turns the epochs of keys, and serves health and metrics over HTTP. */
export function buildStudioWorker(options: StudioWorkerOptions): Promise<FastifyInstance> {
  const { queueUrl, sql, log, publicOrigin, keyPlace } = options;
  let files: Repetition | undefined;
  let turning: Repetition | undefined;
  let takingOver: Repetition | undefined;
  return buildWorker({
    name: "studio",
    queueUrl,
    log,
    publicOrigin,
    concurrency: 1,
    prepare: () => ({
      jobs: [],
      schedules: [],
      ready: [
        { name: "postgres", check: async () => (await sql`select`).length === 1 },
        {
          name: "current files",
          check: async () => files !== undefined && files.sinceSuccessMs() < silentMsMax,
        },
      ],
      start: () => {
        files = repeat({
          everyMs: keepEveryMs,
          pass: async () => ((await keepFiles(options)) > 0 ? "again" : "wait"),
          onFailing: (error) => log.error({ err: error }, "current files of CVs are not kept"),
        });
        takingOver = repeat({
          everyMs: takeOverEveryMs,
          pass: async () =>
            (await takeOverPages(options, options.accounts)) > 0 ? "again" : "wait",
          onFailing: (error) => log.error({ err: error }, "former pages are not taken over"),
        });
        turning = startTurning(dataKeyTurn({ ...options, ...keyPlace }));
      },
      stop: async () => {
        await Promise.all([files?.stop(), takingOver?.stop(), turning?.stop()]);
      },
    }),
  });
}
