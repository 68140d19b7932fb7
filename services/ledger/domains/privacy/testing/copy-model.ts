import type { Recordable } from "../guards.decider.ts";
import { timersOf } from "../timers.ts";
import {
  type CopyBug,
  copyDays,
  copyKey,
  type CopyWorld,
  digestOf,
  officerIds,
  type Pending,
  recordedCopy,
  redactionAt,
  sealedOf,
  startOfCopy,
} from "./copy-world.ts";
import type { Model } from "./explore.ts";
import { assigned, onDay, stepDone, stepFailed } from "./facts.ts";

type Step = readonly [action: string, world: CopyWorld];

/** How often officers propose, and collect anew; and whether what was collected is lost and work fails. */
export type CopyBounds = {
  readonly proposals: number;
  readonly discards: number;
  readonly disasters: boolean;
};

/** Everything that can happen next to one copy from its approval on, in every order. */
export function copyModel(bounds: CopyBounds, bug: CopyBug | null = null): Model<CopyWorld> {
  return {
    start: startOfCopy(),
    next: (world) => nextOf(world, bounds, bug),
    key: copyKey,
    broken: ({ broken }) => (broken === null ? [] : [broken]),
    mustEnd: () => true,
    // Nothing of the whole text is left.
    isEnd: ({ request, kept }) => request.status === "completed" && kept === null,
  };
}

function* nextOf(world: CopyWorld, bounds: CopyBounds, bug: CopyBug | null): Generator<Step> {
  const later = copyDays.find((day) => day > world.day);
  if (later !== undefined) yield [`day ${later}`, { ...world, day: later }];
  if (world.place === 0) yield ["the store changes", { ...world, place: 1 }];
  if (bounds.disasters && world.kept !== null && !world.lost)
    yield ["what was collected is lost", { ...world, kept: null, lost: true }];
  yield* others(world);
  yield* timers(world, bug);
  yield* officersAct(world, bounds);
  yield* workerActs(world, bounds, bug);
}

/** The holder, the deletion of the account, and the clock. */
function* others(world: CopyWorld): Generator<Step> {
  for (const type of ["RequestWithdrawn", "RequestEndedByErasure", "DueDateMissed"] as const) {
    const next = recordedCopy(world, { fact: { type, data: {} } });
    if (next !== undefined) yield [type, next];
  }
}

/** What is due when the package is sealed, and when the request has ended. */
function* timers(world: CopyWorld, bug: CopyBug | null): Generator<Step> {
  const { request, kept } = world;
  const due = timersOf(request).map(({ name }) => name);
  const destroys = due.includes("privacy.unredacted") || due.includes("privacy.destroy-key");
  if (kept !== null && destroys && bug !== "keeps what was collected")
    yield ["what was collected is destroyed", { ...world, kept: null }];
  if (request.status !== "ready") return;
  // Its fourteen days pass at once.
  const lapsed = request.package && { ...request.package, expiresAt: onDay(0) };
  const ended = { ...world, request: { ...request, package: lapsed } };
  const next = recordedCopy(ended, { fact: { type: "PackageExpired", data: {} } });
  if (next !== undefined) yield ["the package ends", next];
}

function* officersAct(world: CopyWorld, bounds: CopyBounds): Generator<Step> {
  for (const [place, seen] of world.officers.entries()) {
    const officerId = officerIds[place] ?? "";
    const withSeen = (next: CopyWorld, now: CopyWorld["officers"][number]) => ({
      ...next,
      officers: world.officers.map((other, at) => (at === place ? now : other)),
    });
    if (seen === null) {
      if (world.request.status === "review" || world.request.status === "stalled")
        yield [
          `officer ${place} looks`,
          withSeen(world, { request: world.request, kept: world.kept }),
        ];
      continue;
    }
    for (const fact of decisions(officerId, world, { seen, bounds })) {
      const next = recordedCopy(world, { fact }, seen);
      if (next === undefined) continue;
      // An assignment shows nothing anew: the officer may go on with an old page.
      const now = fact.type === "Assigned" ? seen : null;
      yield [`officer ${place}: ${fact.type}`, withSeen(next, now)];
    }
    yield [`officer ${place} looks away`, withSeen(world, null)];
  }
}

type Deciding = {
  readonly seen: NonNullable<CopyWorld["officers"][number]>;
  readonly bounds: CopyBounds;
};

function decisions(
  officerId: string,
  world: CopyWorld,
  { seen, bounds }: Deciding,
): readonly Recordable[] {
  const { request, kept } = seen;
  const { revision } = request;
  const collected = request.review?.collected ?? digestOf(kept);
  const propose = (redactions: ReturnType<typeof redactionAt>[]): Recordable => ({
    type: "RedactionProposed",
    data: { officerId, collected, redactions },
  });
  return [
    assigned(officerId),
    { type: "AssignmentReleased", data: { officerId } },
    ...(world.proposals < bounds.proposals && kept !== null
      ? [propose([redactionAt(kept)]), propose([])]
      : []),
    ...(revision === 0
      ? []
      : ([
          { type: "RedactionReturned", data: { officerId, revision } },
          { type: "RedactionApplied", data: { officerId, revision } },
        ] as const)),
    { type: "CopyReleased", data: { officerId } },
    ...(world.discards < bounds.discards
      ? [{ type: "CollectionDiscarded", data: { officerId } } as const]
      : []),
    { type: "Retried", data: { officerId } },
  ];
}

function* workerActs(
  world: CopyWorld,
  { disasters }: CopyBounds,
  bug: CopyBug | null,
): Generator<Step> {
  const { worker, request } = world;
  if (worker !== null) {
    yield [
      `records ${worker.fact.type}`,
      { ...(recordedCopy(world, worker) ?? world), worker: null },
    ];
    yield ["is killed", { ...world, worker: null }];
    return;
  }
  if (request.status !== "collecting") return;
  const pending = workOn(world, bug);
  yield [`works for ${pending.fact.type}`, { ...world, worker: pending }];
  if (world.failed || !disasters) return;
  let next: CopyWorld = { ...world, failed: true };
  for (let attempt = 0; attempt < 5; attempt += 1)
    next = recordedCopy(next, { fact: stepFailed("package") }) ?? next;
  yield ["fails five times", next];
}

function workOn(world: CopyWorld, bug: CopyBug | null): Pending {
  const { request, place, kept } = world;
  if (request.open.length > 0) return { fact: stepDone("messages") };
  if (request.review === null) {
    if (bug === "seals without the review") return sealedOf(world, place, bug);
    const data = { sha256: digestOf(place) };
    return { fact: { type: "PackageCollected", data }, kept: place };
  }
  if (kept === null) return { fact: { type: "CollectionDiscarded", data: {} } };
  return sealedOf(world, kept, bug);
}
