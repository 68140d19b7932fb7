import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";
import type { Outcome, RequestType } from "@pro-talent/schemas/privacy/request";

import { evolve, type PrivacyState } from "../state.decider.ts";
import { type AuditedClock, byThen, type Dated, decisions, firstOf } from "./audit-clock.ts";
import { extensionClocks, identityClocks, packageClocks } from "./holder-clocks.ts";

/** A privacy request as an auditor sees it: nothing of it leads to a person. */
export type AuditedRequest = {
  readonly requestId: string;
  readonly type: RequestType;
  readonly receivedAt: Instant;
  readonly status: string;
  readonly outcome: Outcome | null;
  readonly clocks: readonly AuditedClock[];
};

const dayMs = 24 * 60 * 60_000;

/**
 * A request by its events alone: tables that follow from them could say something else.
 * @returns undefined when they do not begin with its receipt
 * @throws RangeError when an event was not possible after those before it
 */
export function auditedRequest(
  requestId: string,
  events: readonly Dated[],
  now: Instant,
): AuditedRequest | undefined {
  const none: PrivacyState = { status: "none" };
  const state = events.reduce<PrivacyState>(
    (before, { event, at }) => evolve(before, event, at),
    none,
  );
  const [first] = events;
  if (state.status === "none" || first?.event.type !== "RequestReceived") return undefined;
  const { type, receivedAt, status, outcome, clocks } = state;
  const given = first.event.data.clocks;
  const due = { endsAt: given.dueAt, doneAt: firstOf(events, decisions) };
  const eraseAt = type === "delete" && outcome !== "cancelled" ? clocks.eraseAt : null;
  return {
    requestId,
    type,
    receivedAt,
    status,
    outcome,
    clocks: [
      ...identityClocks(given, events, { receivedAt, now }),
      { clock: "due", ...due, result: byThen(due, now) },
      ...extensionClocks(given, events, { receivedAt, now }),
      ...packageClocks(events, now),
      ...(eraseAt === null
        ? []
        : [erasure(eraseAt, firstOf(events, ["EraseClaimed"])), backups(receivedAt, events, now)]),
      ...reviews(events, now),
    ],
  };
}

/** What is erased too early can not be had back; a claim that is late is what holds and failures do. */
function erasure(endsAt: Instant, doneAt: Instant | null): AuditedClock {
  const result = doneAt === null ? "running" : doneAt < endsAt ? "missed" : "met";
  return { clock: "erase", endsAt, doneAt, result };
}

function backups(receivedAt: Instant, events: readonly Dated[], now: Instant): AuditedClock {
  const endsAt = instantPlus(receivedAt, privacyLimits.backupDays * dayMs);
  const doneAt = events.find(({ event }) => event.type === "BackupsAged")?.at ?? null;
  const result = byThen({ endsAt, doneAt }, now);
  const wasHeld = events.some(({ event }) => event.type === "HoldPlaced");
  return {
    clock: "backups",
    endsAt,
    doneAt,
    result: result === "missed" && wasHeld ? "suspended" : result,
  };
}

/** Each date of review of each hold: reviewed, or released, by then. */
function reviews(events: readonly Dated[], now: Instant): AuditedClock[] {
  return events.flatMap(({ event }, index) => {
    if (event.type !== "HoldPlaced" && event.type !== "HoldReviewed") return [];
    const { holdId, reviewAt: endsAt } = event.data;
    const next = events
      .slice(index + 1)
      .find(
        ({ event: later }) =>
          (later.type === "HoldReviewed" || later.type === "HoldReleased") &&
          later.data.holdId === holdId,
      );
    const bound = { endsAt, doneAt: next?.at ?? null };
    return [{ clock: "hold-review" as const, ...bound, result: byThen(bound, now) }];
  });
}
