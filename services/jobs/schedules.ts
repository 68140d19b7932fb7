import { collectorSchedules } from "@pro-talent/collector/jobs";
import { ledgerSchedules } from "@pro-talent/ledger/jobs";
import type { Schedule } from "@pro-talent/platform/queue/connect-queue";

/** What is to be done again and again, however many hosts there are. */
export const schedules: readonly Schedule[] = [...collectorSchedules, ...ledgerSchedules];
