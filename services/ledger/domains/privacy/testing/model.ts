import { keyStep } from "@pro-talent/schemas/privacy/events";

import type { Recordable } from "../guards.decider.ts";
import { timersOf } from "../timers.ts";
import type { Model } from "./explore.ts";
import * as facts from "./facts.ts";
import { onDay } from "./facts.ts";
import {
  brokenIn,
  type Bug,
  days,
  idle,
  keyOf,
  recorded,
  startOf,
  type Worker,
  type World,
} from "./world.ts";

type Step = readonly [action: string, world: World];

const statusOf = ({ request }: World) => request.status;

/** How large the model is: without officers there are no holds and no failures of stores. */
export type Bounds = {
  readonly officers: number;
  readonly workers: number;
  /** Whether the holder acts; a deletion must end without a holder who cancels it. */
  readonly holder: boolean;
  /** With `backups`, events arrive late as well. */
  readonly disasters: "none" | "backups" | "restores";
};

/** Everything that can happen next to one deletion, in every order. */
export function deletionModel(bounds: Bounds, bug: Bug | null = null): Model<World> {
  return {
    start: startOf(bounds),
    next: (world) => nextOf(world, bounds, bug),
    key: (world) => keyOf(world, bug?.endsWith("version check") ?? false),
    broken: brokenIn,
    mustEnd: ({ request }) => request.status !== "none",
    isEnd: ({ request, sealed }) => request.status === "completed" && !sealed,
  };
}

function* nextOf(world: World, bounds: Bounds, bug: Bug | null): Generator<Step> {
  const { request, broken } = world;
  if (broken !== null || (request.status !== "none" && request.outcome === "fulfilled")) return;
  const later = days.find((day) => day > world.day);
  if (later !== undefined) yield [`day ${later}`, { ...world, day: later }];
  if (world.sealed) {
    yield* reconciles(world, bug);
    return;
  }
  if (bounds.holder) yield* holderActs(world, bug);
  yield* officersAct(world, bug);
  yield* queueActs(world, bug);
  for (const [place, worker] of world.workers.entries())
    for (const [action, next, after] of workerActs(world, worker, bug))
      yield [
        `worker ${place}: ${action}`,
        { ...next, workers: world.workers.map((other, at) => (at === place ? after : other)) },
      ];
  if (bounds.disasters !== "none")
    yield* backupsAndLateEvents(world, bounds.disasters === "restores");
}

function* holderActs(world: World, bug: Bug | null): Generator<Step> {
  const { request, holder } = world;
  if (holder === null) {
    if (statusOf(world) === "scheduled")
      yield ["the holder opens the page", { ...world, holder: request }];
    return;
  }
  const blind = bug === "cancels without a version check";
  for (const [action, fact] of [
    ["cancels", facts.cancelled],
    ["waives the grace period", facts.waived],
  ] as const) {
    const next = blind || holder === request ? recorded(world, fact, { on: holder }) : undefined;
    yield [`the holder ${action}`, { ...(next ?? world), holder: null }];
  }
}

/** Two officers place and release holds by what they saw, and retry what is stalled. */
function* officersAct(world: World, bug: Bug | null): Generator<Step> {
  const { request, officers } = world;
  for (const [place, seen] of officers.entries()) {
    const withSeen = (next: World, now: World["holder"]) => ({
      ...next,
      officers: officers.map((other, at) => (at === place ? now : other)),
    });
    if (seen === null) {
      yield [`officer ${place} reads`, withSeen(world, request)];
      continue;
    }
    for (const [action, fact, possible] of [
      ["places a hold", facts.holdPlaced(onDay(world.day + 60)), world.holdsPlaced < 2],
      ["releases the hold", facts.holdReleased, true],
      ["retries", facts.retried, bug !== "offers no retry"],
    ] as const) {
      const next = possible && seen === request ? recorded(world, fact) : undefined;
      if (next === undefined) continue;
      const holdsPlaced = world.holdsPlaced + Number(fact.type === "HoldPlaced");
      yield [`officer ${place} ${action}`, withSeen({ ...next, holdsPlaced }, null)];
    }
    if (seen !== request) yield [`officer ${place} comes too late`, withSeen(world, null)];
  }
}

/**
 * The sweeper wakes what is due by the clock of the database; the queue may lose it. Whether the backups
 * of what is erased have aged is looked at again and again.
 */
function* queueActs(world: World, bug: Bug | null): Generator<Step> {
  const due =
    statusOf(world) === "erased" ||
    timersOf(world.request).some(
      ({ name, dueAt }) => name !== "privacy.notice" && dueAt <= onDay(world.day),
    );
  const wakes =
    bug === "relies on one job of the queue"
      ? !world.jobLost
      : !(bug === "does not wake again after a hold" && world.holdsPlaced > 0);
  const starts =
    statusOf(world) === "scheduled" || bug === null || bug === "relies on one job of the queue";
  if (!world.job && due && (wakes || !starts)) yield ["the sweeper wakes", { ...world, job: true }];
  if (world.job && !world.jobLost)
    yield ["the queue loses the job", { ...world, job: false, jobLost: true }];
}

type Act = readonly [action: string, world: World, after: Worker];

function* workerActs(world: World, worker: Worker, bug: Bug | null): Generator<Act> {
  if (worker.done !== null) {
    const next = recorded(world, worker.done) ?? world;
    yield [`records ${worker.done.type}`, next, idle];
    yield ["is killed", world, idle];
    return;
  }
  if (worker.seen !== null) {
    yield claim(world, worker.seen, bug);
    return;
  }
  if (!world.job) return;
  if (statusOf(world) === "scheduled")
    yield ["reads the request", world, { seen: world.request, done: null }];
  for (const [next, done] of work(world, bug))
    yield [`works for ${done.type}`, next, { seen: null, done }];
  if (!world.failed && world.officers.length > 0 && statusOf(world) === "erasing")
    yield ["fails five times", fails(world), idle];
}

function claim(world: World, seen: World["request"], bug: Bug | null): Act {
  const blind = bug === "claims without a version check";
  const day = bug === "claims by the worker's own clock" ? world.day + 35 : world.day;
  const current = blind || seen === world.request;
  const next = current ? recorded(world, facts.claimed, { on: seen, day }) : undefined;
  return ["claims", next ?? { ...world, job: false }, idle];
}

/** One store does not answer, five times. */
function fails(world: World): World {
  let next: World = { ...world, failed: true };
  for (let attempt = 0; attempt < 5; attempt += 1)
    next = recorded(next, facts.stepFailed("scan")) ?? next;
  return next;
}

/** What a worker can do outside the ledger, each with the fact that it records afterwards. */
function* work(world: World, bug: Bug | null): Generator<readonly [World, Recordable]> {
  const { request, stores } = world;
  if (request.status === "claimed")
    yield [{ ...world, journal: bug !== "erases before the journal is written" }, facts.journalled];
  if (request.status === "erased") yield* readsManifest(world, bug);
  if (request.status !== "erasing") return;
  if (!request.suppressed) {
    const refused = bug !== "records the suppression without a collector that refuses";
    yield [{ ...world, refused }, facts.suppressed];
    return;
  }
  const erases = bug !== "records a step without erasing";
  const keyFirst = bug === "destroys the key first";
  for (const step of request.open) {
    if (step !== keyStep)
      yield [
        { ...world, stores: erases ? { ...stores, [step]: false } : stores },
        facts.stepDone(step),
      ];
    else if (keyFirst || request.open.length === 1)
      yield [{ ...world, keyDestroyed: true }, facts.stepDone(step)];
  }
  if (request.open.length > 0) return;
  const clean = !stores.links && !stores.visits;
  yield [world, clean || !erases ? facts.scanClean : { type: "ScanHit", data: {} }];
}

/** The oldest backup that can be restored; with none left, the next one, of the following night. */
function* readsManifest(world: World, bug: Bug | null): Generator<readonly [World, Recordable]> {
  const { backup, day } = world;
  const timer = bug === "completes by a timer, not by the manifest of backups" && day >= 110;
  const oldest = backup === null || timer ? day + 1 : backup.day;
  yield [world, facts.backupsAged(onDay(oldest))];
}

function* backupsAndLateEvents(world: World, restores: boolean): Generator<Step> {
  const { day, request, stores, backup, journal } = world;
  if (!world.backupTaken && day <= 30)
    yield ["a backup is taken", { ...world, backupTaken: true, backup: { day, request, stores } }];
  if (backup !== null && day >= backup.day + 60)
    yield ["the backup expires", { ...world, backup: null }];
  if (!world.late && !world.refused && journal)
    yield ["an event arrives late", { ...world, late: true, stores: { ...stores, links: true } }];
  if (restores && backup !== null && !world.restored && journal)
    yield [
      "the backup is restored",
      {
        ...world,
        request: backup.request,
        stores: backup.stores,
        restored: true,
        sealed: true,
        refused: false,
        job: false,
        holder: null,
        officers: world.officers.map(() => null),
        workers: world.workers.map(() => idle),
      },
    ];
}

/** Before anything opens, what the journal names is erased again and recorded in the ledger. */
function* reconciles(world: World, bug: Bug | null): Generator<Step> {
  if (bug === "opens a restored backup without the journal") {
    yield ["opens", { ...world, sealed: false }];
    return;
  }
  const fact: Recordable = {
    type: "JournalReapplied",
    data: { entry: 1, steps: ["links", "visits", keyStep] },
  };
  const next = recorded(world, fact);
  if (next === undefined) return;
  const stores = { links: false, visits: false };
  yield ["re-applies the journal and opens", { ...next, stores, refused: true, sealed: false }];
}
