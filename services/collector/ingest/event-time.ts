import { createHash } from "node:crypto";

import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import type { TimeSource } from "@pro-talent/schemas/analytics/row";
import { uuidV7Ms } from "@pro-talent/schemas/primitives/ids";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { stringify as uuidText } from "uuid";

import type { VisitSession } from "../visit-session.ts";

/** When an event happened by the collector's clock, and how that is known. */
export type EventTime = { at: Instant; source: TimeSource };

const { lateMsMax, clockErrorMsMax } = analyticsLimits;

/**
 * What is added to a device's time to get the collector's: the difference of the clocks, and the time
 * for which the request was under way. All reports of a session are moved by the same amount.
 */
export function clockOffset(
  deviceTimeMs: number | null | undefined,
  nowMs: number,
): number | undefined {
  const offset = nowMs - (deviceTimeMs ?? Number.NaN);
  return Number.isSafeInteger(offset) ? offset : undefined;
}

/**
 * The time of an event that arrives now: what the device stated, corrected by the offset of its
 * clock, not before the start of its session and not after its arrival. A time that cannot be right,
 * because the clock was set meanwhile or the report is later than a day, becomes that of arrival.
 */
export function eventTime(
  statedMs: number | undefined,
  session: Pick<VisitSession, "startedAtMs" | "clockOffsetMs">,
  nowMs: number,
): EventTime {
  if (statedMs === undefined) return { at: instantAt(nowMs), source: "arrival" };
  const { startedAtMs, clockOffsetMs } = session;
  const ms = statedMs + (clockOffsetMs ?? 0);
  const earliest = Math.max(startedAtMs - clockErrorMsMax, nowMs - lateMsMax);
  // Written so that NaN is outside.
  if (!(ms >= earliest && ms <= nowMs + clockErrorMsMax)) {
    return { at: instantAt(nowMs), source: "replaced" };
  }
  const at = instantAt(Math.min(Math.max(ms, startedAtMs), nowMs));
  return { at, source: clockOffsetMs === undefined ? "device" : "corrected" };
}

/**
 * When a visit session began, in milliseconds since 1970: what the device stated, corrected by the
 * offset of its clock, when its start is sent late; the moment of arrival when nothing was stated, the
 * offset is not known, or the time is in the future or more than a day ago.
 */
export function startTime(
  statedMs: number | null | undefined,
  clockOffsetMs: number | undefined,
  nowMs: number,
): number {
  const ms = (statedMs ?? Number.NaN) + (clockOffsetMs ?? Number.NaN);
  return ms >= nowMs - lateMsMax && ms <= nowMs ? ms : nowMs;
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
