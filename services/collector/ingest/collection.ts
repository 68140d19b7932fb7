import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { DropReason } from "@pro-talent/schemas/analytics/row";
import type { FastifyRequest } from "fastify";

import type { SessionFacts } from "../session-facts.ts";
import type { SpoolRecord } from "../spool/record.ts";
import { type DeviceFacts, deviceFacts, untoldDevice } from "./enrich/device-headers.ts";
import type { Locate } from "./enrich/location.ts";
import { visitFacts } from "./enrich/visit.ts";
import { eventRow, type Report } from "./event-row.ts";
import { instantAt, startEventId } from "./event-time.ts";

export type CollectionPorts = {
  append: (records: readonly SpoolRecord[]) => Promise<void>;
  locate: Locate;
  clock: Clock;
  /** Told the reasons of each event that was marked as made by a machine; none for a person's. */
  onVerdict: (reasons: readonly string[]) => void;
  onDrop: (reason: DropReason) => void;
};

/** Stores what consenting visitors do. Everything resolves only when the record is durable. */
export type Collection = {
  /** @param claim true when the client made the event id and may send it again */
  store(
    request: FastifyRequest,
    session: SessionFacts,
    report: Report,
    claim: boolean,
  ): Promise<void>;
  /** The start of a session, once however often it is called: its id is always the same. */
  storeStart(request: FastifyRequest, session: SessionFacts): Promise<void>;
};

export function createCollection(ports: CollectionPorts): Collection {
  const put = (
    request: FastifyRequest,
    session: SessionFacts,
    event: { report: Report; claim: boolean; device: DeviceFacts },
  ): Promise<void> => {
    const visit = visitFacts(request, ports.locate);
    ports.onVerdict(visit.bot_reasons);
    if (visit.is_bot === 1) ports.onDrop("bot_marked");
    const row = eventRow(session, event.report, visit, event.device);
    return ports.append([{ kind: "event", row, claim: event.claim }]);
  };
  return {
    store: (request, session, report, claim) =>
      put(request, session, { report, claim, device: untoldDevice }),
    storeStart: (request, session) => {
      const report: Report = {
        eventId: startEventId(session.sessionId),
        kind: "session_start",
        occurredAt: session.startedAt,
        receivedAt: instantAt(ports.clock()),
        page: session.entryPage,
      };
      const device = deviceFacts(request.headers);
      return put(request, session, { report, claim: true, device });
    },
  };
}
