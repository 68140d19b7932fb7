import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Clocks } from "@pro-talent/schemas/privacy/clocks";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { Evidence } from "@pro-talent/schemas/privacy/evidence";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";
import type { PartReason } from "@pro-talent/schemas/privacy/request";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";

import type { EventOf } from "../guards.decider.ts";
import { partsWith } from "../in-part.ts";
import { evolve, type KnownRequest, type PrivacyState } from "../state.decider.ts";
import type { ProvenEvent } from "./chained-events.ts";

const dayMs = 24 * 60 * 60_000;

type Made = { readonly at: Instant; readonly register: string | null };
type Of<Type extends PrivacyEvent["type"]> = Omit<ProvenEvent, "event"> & {
  readonly event: EventOf<Type>;
};

function eventsOf<Type extends PrivacyEvent["type"]>(
  events: readonly ProvenEvent[],
  ...types: readonly Type[]
): readonly Of<Type>[] {
  const isOf = (one: ProvenEvent): one is Of<Type> => types.some((type) => type === one.event.type);
  return events.filter(isOf);
}

/**
 * What the events of a request prove. Nothing is taken from tables, which could say something else.
 * @returns undefined when there is no such request
 */
export function evidenceOf(
  requestId: string,
  events: readonly ProvenEvent[],
  made: Made,
): Evidence | undefined {
  const none: PrivacyState = { status: "none" };
  const state = events.reduce<PrivacyState>(
    (before, { event, at }) => evolve(before, event, at),
    none,
  );
  const [received] = eventsOf(events, "RequestReceived");
  if (state.status === "none" || received === undefined) return undefined;
  const { type, accountId, outcome } = state;
  return Evidence.parse({
    requestId,
    madeAt: made.at,
    type,
    status: publicStatusOf[state.status],
    outcome,
    partly:
      outcome === "fulfilled"
        ? events.reduce<PartReason[]>((p, { event }) => partsWith(p, event), [])
        : [],
    accountId,
    identity: identityIn(events),
    clocks: clocksIn(state, received.event.data.clocks, events),
    events: events.map(({ event, actor, version, position, at }) => ({
      version,
      position,
      at,
      actor,
      type: event.type,
      data: event.data,
    })),
    decisions: events.flatMap(({ event, version, position, at }) =>
      "officerId" in event.data
        ? [{ version, position, at, type: event.type, officerId: event.data.officerId }]
        : [],
    ),
    stores: storesIn(state, events),
    holds: holdsIn(events),
    notices: eventsOf(events, "NoticeTried").map(({ at, event }) => ({ ...event.data, at })),
    scans: eventsOf(events, "ScanClean", "ScanHit").map(({ at, event }) => ({
      at,
      found: event.type === "ScanHit",
      data: event.data,
    })),
    ...workIn(events, made.register),
    backupsOverdue: state.status === "erased" && made.at >= backupsGoneBy(state),
  });
}

/** The time by which no backup may hold what was erased. */
const backupsGoneBy = ({ receivedAt }: KnownRequest): Instant =>
  instantPlus(receivedAt, privacyLimits.backupDays * dayMs);

function identityIn(events: readonly ProvenEvent[]): Evidence["identity"] {
  const verified = eventsOf(events, "IdentityVerified").at(0);
  return verified === undefined ? null : { method: verified.event.data.method, at: verified.at };
}

/** Every clock that the request had, whether it has ended or not. */
function clocksIn(
  state: KnownRequest,
  atReceipt: Clocks,
  events: readonly ProvenEvent[],
): Evidence["clocks"] {
  const one = (clock: Evidence["clocks"][number]["clock"], endsAt: Instant | null | undefined) =>
    endsAt === null || endsAt === undefined ? [] : [{ clock, endsAt }];
  const { type, clocks, package: parcel } = state;
  const isWaived = atReceipt.eraseAt !== clocks.eraseAt;
  return [
    ...one("identity", atReceipt.identityBy),
    ...one("due", atReceipt.dueAt),
    ...one("erase", atReceipt.eraseAt),
    ...one("erase-waived", isWaived ? clocks.eraseAt : null),
    ...one("backups", type === "delete" ? backupsGoneBy(state) : null),
    ...holdsIn(events).flatMap(({ reviewAt }) => one("hold-review", reviewAt)),
    ...one("package", parcel?.expiresAt),
  ];
}

/** The newest plan of the work, with what was found and left; work around it as far as it failed. */
function storesIn({ plan }: KnownRequest, events: readonly ProvenEvent[]): Evidence["stores"] {
  const done = eventsOf(events, "StepDone").map(({ event }) => event.data);
  const failed = eventsOf(events, "StepFailed").map(({ event }) => event.data.step);
  return [...new Set([...plan, ...failed])].map((store) => {
    const times = done.filter(({ step }) => step === store);
    return {
      store,
      // Erased anew after a restore or a scan, a store holds less than at first.
      found: times.length === 0 ? null : Math.max(...times.map(({ found }) => found)),
      left: times.at(-1)?.left ?? null,
      failures: failed.filter((step) => step === store).length,
    };
  });
}

function holdsIn(events: readonly ProvenEvent[]): Evidence["holds"] {
  const released = new Map(
    eventsOf(events, "HoldReleased").map(({ event, at }) => [event.data.holdId, at]),
  );
  const reviewed = new Map(
    eventsOf(events, "HoldReviewed").map(({ event: { data } }) => [data.holdId, data.reviewAt]),
  );
  return eventsOf(events, "HoldPlaced").map(({ event: { data }, at }) => ({
    holdId: data.holdId,
    law: data.law,
    placedAt: at,
    reviewAt: reviewed.get(data.holdId) ?? data.reviewAt,
    releasedAt: released.get(data.holdId) ?? null,
  }));
}

function workIn(
  events: readonly ProvenEvent[],
  now: string | null,
): Pick<Evidence, "journal" | "backups" | "register"> {
  const journal = eventsOf(events, "JournalWritten").at(-1);
  const aged = eventsOf(events, "BackupsAged").at(-1);
  const begun = eventsOf(events, "AccessApproved", "EraseClaimed").at(-1);
  return {
    journal:
      journal === undefined
        ? null
        : { entry: journal.event.data.entry, sha256: journal.event.data.sha256 ?? null },
    backups:
      aged === undefined
        ? null
        : {
            oldestRestorableAt: aged.event.data.oldestRestorableAt,
            recordedAt: aged.at,
            proof: aged.event.data.proof ?? null,
          },
    register: { atDecision: begun?.event.data.register ?? null, now },
  };
}
