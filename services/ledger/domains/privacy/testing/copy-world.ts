import type { Redaction } from "@pro-talent/schemas/privacy/redaction";

import { confirmedIn } from "../copy-review.decider.ts";
import { privacyDecider } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";
import type { KnownRequest, PrivacyState } from "../state.decider.ts";
import { assigned, dana, omar, onDay, receives, records } from "./facts.ts";

/** Faults that are planted around the decider; the model check must find each. */
export const copyBugs = [
  "leaves a confirmed redaction out",
  "seals what is held now, not what was reviewed",
  "seals without the review",
  "keeps what was collected",
] as const;
export type CopyBug = (typeof copyBugs)[number];

/** Where a passage about another person stands: in a store, or in what was collected of it. */
type Place = 0 | 1;
/** What a package holds of that passage. */
type Handed = "whole" | "withheld";
/** An officer acts on the request, and on what was collected, as they were when the officer looked. */
type Seen = { readonly request: KnownRequest; readonly kept: Place | null } | null;

export type Pending = {
  readonly fact: Recordable;
  readonly kept?: Place;
  readonly handed?: Handed;
};

/**
 * One copy with everything around it: a store that changes, what was collected of it, two officers who act on
 * what they saw without any check but the decider's, a worker that is killed, and the holder.
 */
export type CopyWorld = {
  readonly day: number;
  readonly request: KnownRequest;
  readonly place: Place;
  readonly kept: Place | null;
  readonly lost: boolean;
  readonly failed: boolean;
  readonly handed: Handed | null;
  /** What the officers decided about the passage, and who wanted it to be withheld. */
  readonly decided: Handed | null;
  readonly proposedBy: string | null;
  readonly returned: boolean;
  readonly wanted: readonly string[];
  readonly officers: readonly Seen[];
  readonly worker: Pending | null;
  readonly proposals: number;
  readonly discards: number;
  readonly broken: string | null;
};

export const copyDays = [0, 15, 23] as const;
export const officerIds = [dana, omar] as const;

export const redactionAt = (entry: Place): Redaction => ({
  store: "messages",
  entry,
  value: null,
  span: null,
  reason: "other-person",
});
/** Of what was collected, as its hash. */
export const digestOf = (place: Place | null): string => String(place ?? 9).repeat(64);

/** A request whose copy was approved, and is to be collected. */
export function startOfCopy(): CopyWorld {
  const approval: Recordable = {
    type: "AccessApproved",
    data: {
      officerId: dana,
      steps: ["messages"],
      review: { asked: false, stores: ["messages"] },
    },
  };
  const commands = [receives("access"), records(assigned(dana)), records(approval)];
  const request = commands.reduce<PrivacyState>((state, command) => {
    const events = privacyDecider.decide(command, state, { now: onDay(0) });
    if ("kind" in events) throw new Error(events.code);
    return events.reduce((now, event) => privacyDecider.evolve(now, event, onDay(0)), state);
  }, privacyDecider.initialState);
  if (request.status === "none") throw new Error("It was not received");
  return {
    day: 0,
    request,
    place: 0,
    kept: null,
    lost: false,
    failed: false,
    handed: null,
    decided: null,
    proposedBy: null,
    returned: false,
    wanted: [],
    officers: officerIds.map(() => null),
    worker: null,
    proposals: 0,
    discards: 0,
    broken: null,
  };
}

/** The world after a fact was recorded; undefined when the decider refused it. */
export function recordedCopy(
  world: CopyWorld,
  { fact, ...done }: Pending,
  seen: Seen = null,
): CopyWorld | undefined {
  const now = onDay(world.day);
  const events = privacyDecider.decide(records(fact), world.request, { now });
  if ("kind" in events) return undefined;
  const request = events.reduce<PrivacyState>(
    (state, event) => privacyDecider.evolve(state, event, now),
    world.request,
  );
  if (request.status === "none") return undefined;
  const broken = brokenBy(world, fact, { seen, handed: done.handed ?? null });
  return { ...world, ...done, ...afterFact(world, fact), request, broken };
}

function afterFact(world: CopyWorld, { type, data }: Recordable): Partial<CopyWorld> {
  switch (type) {
    case "PackageCollected":
      return { decided: null, wanted: [], proposedBy: null };
    case "RedactionProposed":
      return {
        proposedBy: data.officerId,
        returned: false,
        proposals: world.proposals + 1,
        wanted: data.redactions.length === 0 ? world.wanted : [...world.wanted, data.officerId],
      };
    case "RedactionReturned":
      return { returned: true };
    case "RedactionApplied": {
      const { proposal } = world.request.review ?? {};
      return { decided: proposal?.redactions.length === 0 ? "whole" : "withheld" };
    }
    case "CopyReleased":
      return { decided: "whole" };
    case "CollectionDiscarded":
      return { discards: world.discards + 1, decided: null };
    default:
      return {};
  }
}

type By = { readonly seen: Seen; readonly handed: Handed | null };

/** The promise that a fact breaks which was accepted, judged without the decider. */
function brokenBy(world: CopyWorld, fact: Recordable, { seen, handed }: By): string | null {
  switch (fact.type) {
    case "RedactionApplied":
      if (world.proposedBy === fact.data.officerId) return "one officer withholds alone";
      if (world.returned) return "confirmed what was sent back";
      return seen?.request.review?.proposal === world.request.review?.proposal
        ? null
        : "confirmed what was not seen";
    case "CopyReleased":
      return world.wanted.every((id) => id === fact.data.officerId)
        ? null
        : "released against another officer";
    case "PackageSealed":
      if (world.decided === null) return "sealed without its review";
      return handed === world.decided ? null : "a package that is not what was confirmed";
    default:
      return null;
  }
}

/** What the worker puts in the package of a reviewed copy, and records of it. */
export function sealedOf(world: CopyWorld, kept: Place, bug: CopyBug | null): Pending {
  const redactions = confirmedIn(world.request);
  const from = bug === "seals what is held now, not what was reviewed" ? world.place : kept;
  const isMade =
    bug !== "leaves a confirmed redaction out" && redactions.some(({ entry }) => entry === from);
  const data = {
    sha256: "0".repeat(64),
    ...(redactions.length > 0 && { withheld: redactions.length }),
  };
  return { fact: { type: "PackageSealed", data }, handed: isMade ? "withheld" : "whole" };
}

const requestKey = (request: KnownRequest, day: number): string => {
  const { status, outcome, lease, open, review, revision, overdue, attempts } = request;
  const holder = lease !== null && lease.until > onDay(day) ? lease.officerId : null;
  return JSON.stringify([status, outcome, holder, open, review, revision, overdue, attempts]);
};

/** Everything that decides the future of a world, as text. */
export function copyKey(world: CopyWorld): string {
  const { request, officers, day, ...rest } = world;
  const seen = officers.map((one) =>
    one === null ? null : [one.kept, one.request.revision, one.request.review],
  );
  return JSON.stringify([day, requestKey(request, day), seen, rest]);
}
