import { dataKeyTurn } from "@pro-talent/platform/keys/data-key-epochs";
import type { KeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { startTurning } from "@pro-talent/platform/keys/turn-epochs";
import type { Mailer } from "@pro-talent/platform/mail/mailer";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { buildWorker, type WorkerParts } from "@pro-talent/platform/queue/build-worker";
import { scheduleJob } from "@pro-talent/platform/queue/connect-queue";
import { defineJob, handleJob } from "@pro-talent/platform/queue/define-job";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import type { Period } from "@pro-talent/schemas/primitives/data-map";
import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import type { FastifyInstance } from "fastify";
import { Counter, Gauge, type Registry } from "prom-client";
import { z } from "zod";

import { deliverMails } from "./deliver-mails.ts";
import { dataKeyPlace, type KeySettings } from "./key-settings.ts";
import type { AccountKeys } from "./keys.ts";
import { type ReportOpening, reportOpenings } from "./openings.ts";
import { advanceRecoveries } from "./recoveries.ts";
import { RequestedMail } from "./requested-mails.ts";

export type AccountsWorkerOptions = {
  readonly queueUrl: string;
  readonly sql: Sql;
  readonly log: Logger;
  readonly mailer: Pick<Mailer, "send">;
  readonly clock: Clock;
  readonly keys: AccountKeys;
  readonly turning: { readonly settings: KeySettings; readonly periods: KeyPeriods };
  /** Of the site, as in `https://example.com`. */
  readonly publicOrigin: string;
  readonly report: ReportOpening;
};

/** Deletes what has ended; running it twice deletes nothing more. */
const forgetEndedJob = defineJob({
  name: "accounts.forget-ended",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});
const forgetEveryMs = 60 * 60_000;
const passEveryMs = 500;
const recoveriesEveryMs = 5000;
const silentMsMax = 60_000;

/**
 * The worker: sends the mails that are due, reports openings to the ledger, forgets what has ended, and
 * serves health and metrics over HTTP.
 */
export function buildAccountsWorker(options: AccountsWorkerOptions): Promise<FastifyInstance> {
  const { queueUrl, log, publicOrigin } = options;
  return buildWorker({
    name: "accounts",
    queueUrl,
    log,
    publicOrigin,
    concurrency: 1,
    prepare: ({ metrics }) => prepareParts(options, metrics),
  });
}

function prepareParts(options: AccountsWorkerOptions, metrics: Registry): WorkerParts {
  const { sql, clock } = options;
  let loops: readonly Repetition[] = [];
  gaugeWaiting(metrics, sql);
  return {
    jobs: [handleJob(forgetEndedJob, () => forgetEnded(sql, clock()))],
    schedules: [scheduleJob(forgetEndedJob, {}, forgetEveryMs)],
    ready: [
      { name: "postgres", check: async () => (await sql`select`).length === 1 },
      {
        name: "mails, reports and recoveries",
        check: async () => loops.slice(0, 3).every((loop) => loop.sinceSuccessMs() < silentMsMax),
      },
    ],
    start: () => {
      loops = startLoops(options, metrics);
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function startLoops(options: AccountsWorkerOptions, metrics: Registry): readonly Repetition[] {
  const { sql, log, clock, report } = options;
  const givenUp = new Counter({
    name: "accounts_mails_given_up_total",
    help: "Mails that were given up, by kind",
    labelNames: ["kind"] as const,
    registers: [metrics],
  });
  // A count that begins at its first mail rises from nothing, which no rule sees.
  for (const { shape } of RequestedMail.options) givenUp.inc({ kind: shape.kind.value }, 0);
  const onGivenUp = (kind: string): void => givenUp.inc({ kind });
  const mails = repeat({
    everyMs: passEveryMs,
    pass: async () => {
      await deliverMails({ ...options, onGivenUp }, clock());
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "a mail about an account was not sent"),
  });
  const reports = repeat({
    everyMs: passEveryMs,
    pass: async () => ((await reportOpenings(sql, report, clock())) > 0 ? "again" : "wait"),
    onFailing: (error) => log.error({ err: error }, "the opening of an account was not recorded"),
  });
  const recoveries = repeat({
    everyMs: recoveriesEveryMs,
    pass: async () => {
      await advanceRecoveries(sql, options.keys, clock());
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "the recovery of an account is not completed"),
  });
  const { settings, periods } = options.turning;
  const turning = startTurning(dataKeyTurn({ ...options, ...dataKeyPlace(settings), periods }));
  return [mails, reports, recoveries, turning];
}

/** Openings and mails that wait, for alerts: an opening must not wait for long. */
function gaugeWaiting(metrics: Registry, sql: Sql): void {
  const gauge = new Gauge({
    name: "accounts_waiting",
    help: "Openings that the ledger has not recorded, and mails that were not sent",
    labelNames: ["what"] as const,
    registers: [metrics],
    collect: async () => {
      const [row] = await sql<{ openings: number; mails: number }[]>`
        select (select count(*) from accounts.account_opening where recorded_at is null) as openings,
               (select count(*) from accounts.requested_mail where given_up_at is null) as mails`;
      gauge.set({ what: "openings" }, row?.openings ?? 0);
      gauge.set({ what: "mails" }, row?.mails ?? 0);
    },
  });
}

/** Days without use after which a session ends (decision 30). */
const idleSession = { count: 30, unit: "day" } as const;

/** Deletes sessions, tickets, challenges, counts, links and mails whose time is over. */
export async function forgetEnded(sql: Sql, nowMs: number): Promise<void> {
  const before = (period: Period): Date => new Date(keptSinceMs(period, nowMs));
  const periods = retentionPeriods;
  await sql`delete from accounts.sign_in_session
             where signed_in_at < ${before(periods.signInSession)}
                or last_used_at < ${before(idleSession)}`;
  await sql`delete from accounts.download_ticket where expires_at < ${before(periods.endedProofs)}`;
  await sql`delete from accounts.access_token where expires_at < ${before(periods.endedProofs)}`;
  await sql`delete from accounts.challenge where expires_at < ${before(periods.endedProofs)}`;
  await sql`delete from accounts.attempt where counted_at < ${before(periods.attempts)}`;
  await sql`delete from accounts.mail_token where expires_at < ${before(periods.mailedLinks)}`;
  await sql`delete from accounts.requested_mail where given_up_at < ${before(periods.mailedLinks)}`;
  await sql`
    delete from accounts.data_key k
     where k.account_id is null and k.created_at < ${before(periods.endedProofs)}::timestamptz
       and not exists (select from accounts.requested_mail m where m.key_id = k.key_id)
       and not exists (select from accounts.mail_token t where t.key_id = k.key_id)`;
  await sql`delete from accounts.known_device where last_used_at < ${before(periods.knownDevice)}`;
  await sql`select accounts.forget_operator_actions()`;
}
