import { pruneClaimsJob } from "@pro-talent/collector/jobs";
import { ledgerSchedules } from "@pro-talent/ledger/jobs";
import { type Schedule, scheduleJob } from "@pro-talent/platform/queue/connect-queue";

const minuteMs = 60_000;

/** What is to be done again and again, however many hosts there are. */
export const schedules: readonly Schedule[] = [
  scheduleJob(pruneClaimsJob, {}, 10 * minuteMs),
  ...ledgerSchedules,
];
