import { type EventBody, paths } from "../calls.ts";
import { idAndTime, type Report } from "../reports.ts";

/** A named event with its data; sent only with consent. */
export function eventReport(
  eventType: string,
  eventData: EventBody["eventData"],
  nowMs: number,
  page?: string,
): Report {
  const details = { eventType, eventData, page, ...idAndTime(nowMs) };
  return {
    path: paths.trackEvent,
    identified: true,
    atMs: nowMs,
    body: (sessionId) => ({ sessionId, ...details }),
  };
}
