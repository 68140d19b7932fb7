import { isAway } from "../postgres/unavailable.ts";
import { QueueUnavailable } from "../queue/job-failures.ts";

/** EX_TEMPFAIL of sysexits.h: a later start may succeed without any change. */
export const temporaryFailure = 75;

/**
 * The exit code of a process that could not start: 75 when only a store was out of reach, so that a supervisor
 * starts it again even where other failures of a first start are final; else 1.
 */
export function exitCodeOf(error: unknown): number {
  return isAway(error) || error instanceof QueueUnavailable ? temporaryFailure : 1;
}
