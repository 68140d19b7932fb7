import { createHash } from "node:crypto";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import { analyticsProblems } from "@pro-talent/schemas/analytics/problems";
import { uuidV7Ms } from "@pro-talent/schemas/primitives/ids";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { stringify as uuidText } from "uuid";

export type Delivery = { eventId?: string | undefined; occurredAt?: Instant | undefined };

function assertInRange(ms: number, nowMs: number): void {
  if (ms < nowMs - analyticsLimits.lateMsMax || ms > nowMs + analyticsLimits.aheadMsMax) {
    throw new ProblemError(analyticsProblems.time_out_of_range);
  }
}

/**
 * Checks the times that a client states: when it happened, and the one inside a UUIDv7.
 * @throws ProblemError `time_out_of_range`
 */
export function assertTimes(delivery: Delivery, nowMs: number): void {
  if (delivery.occurredAt !== undefined) assertInRange(Date.parse(delivery.occurredAt), nowMs);
  if (delivery.eventId !== undefined) assertInRange(uuidV7Ms(delivery.eventId), nowMs);
}

let last: { ms: number; instant: Instant } = { ms: 0, instant: instantFromMs(0) };

/** The instant of a time value; the last one is kept, as many events share a millisecond. */
export function instantAt(ms: number): Instant {
  if (last.ms !== ms) last = { ms, instant: instantFromMs(ms) };
  return last.instant;
}

/**
 * The id of a visit session's start event: the same from every call and instance that records it,
 * so that it is stored once. A UUIDv7 with the visit session's own time (RFC 9562 §5.7).
 */
export function startEventId(sessionId: string): string {
  const bytes = createHash("sha256").update(`session_start ${sessionId}`).digest().subarray(0, 16);
  bytes.writeUIntBE(uuidV7Ms(sessionId), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return uuidText(bytes);
}
