import { privacyDecider } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";
import type { PrivacyState } from "../state.decider.ts";
import { onDay, receives } from "./facts.ts";

/** Faults that are planted around the decider; the model check must find each. */
export const bugs = [
  "cancels without a version check",
  "claims without a version check",
  "claims by the worker's own clock",
  "erases before the journal is written",
  "records a step without erasing",
  "records the suppression without a collector that refuses",
  "opens a restored backup without the journal",
  "completes by a timer, not by the manifest of backups",
  "does not wake again after a hold",
  "relies on one job of the queue",
  "destroys the key first",
  "offers no retry",
] as const;
export type Bug = (typeof bugs)[number];

/** What a party saw before it acts: the request as it was. Unchanged requests are the same object. */
type Seen = PrivacyState | null;
/** A worker waits, has read the request to claim it, or has done work that it is about to record. */
export type Worker = { readonly seen: Seen; readonly done: Recordable | null };

type Stores = { readonly links: boolean; readonly visits: boolean };
type Backup = { readonly day: number; readonly request: PrivacyState; readonly stores: Stores };

/**
 * One deletion with everything around it: the clock of the database, the holder, officers and workers that
 * act on what they saw, a queue that loses and repeats jobs, events that arrive late, a backup and its
 * restore. A restore is of a backup with its write-ahead log cut off; what was acknowledged since is lost,
 * and only the journal outside the databases remains.
 */
export type World = {
  readonly day: number;
  readonly request: PrivacyState;
  readonly stores: Stores;
  readonly keyDestroyed: boolean;
  readonly journal: boolean;
  /** Collectors refuse the subject. */
  readonly refused: boolean;
  readonly holder: Seen;
  readonly officers: readonly Seen[];
  readonly workers: readonly Worker[];
  readonly job: boolean;
  readonly jobLost: boolean;
  readonly late: boolean;
  readonly failed: boolean;
  readonly holdsPlaced: number;
  readonly backup: Backup | null;
  readonly backupTaken: boolean;
  readonly restored: boolean;
  /** Not open to anything but the reconciler. */
  readonly sealed: boolean;
  /** Promises that were broken on the way. */
  readonly broken: string | null;
};

/** Days on which something can change, from receipt. */
export const days = [0, 22, 29, 30, 110, 121] as const;

export const idle: Worker = { seen: null, done: null };
const present: Stores = { links: true, visits: true };

export function startOf(parties: { readonly officers: number; readonly workers: number }): World {
  const world: World = {
    day: 0,
    request: privacyDecider.initialState,
    stores: present,
    keyDestroyed: false,
    journal: false,
    refused: false,
    holder: null,
    officers: Array.from({ length: parties.officers }, () => null),
    workers: Array.from({ length: parties.workers }, () => idle),
    /** The queue may deliver it at any time, also before its day. */
    job: true,
    jobLost: false,
    late: false,
    failed: false,
    holdsPlaced: 0,
    backup: null,
    backupTaken: false,
    restored: false,
    sealed: false,
    broken: null,
  };
  const now = onDay(0);
  const events = privacyDecider.decide(receives("delete"), world.request, { now });
  if ("kind" in events) throw new Error(events.code);
  return { ...world, request: fold(world.request, events, 0) };
}

type Events = Exclude<ReturnType<typeof privacyDecider.decide>, { kind: "refusal" }>;

const fold = (request: PrivacyState, events: Events, day: number): PrivacyState =>
  events.reduce((state, event) => privacyDecider.evolve(state, event, onDay(day)), request);

/** How a fact is decided: on the request as it is, unless a fault decides on what was seen. */
type Deciding = { readonly on?: PrivacyState; readonly day?: number };

/**
 * The world after the decider recorded a fact; undefined when it refused. The events are appended to the
 * stream as it is; where a fault decided on something else, they may not fit to it.
 */
export function recorded(
  world: World,
  fact: Recordable,
  deciding: Deciding = {},
): World | undefined {
  const { on = world.request, day = world.day } = deciding;
  try {
    const asUsual = on === world.request && day === world.day;
    const request = asUsual ? decidedOnce(on, fact, day) : decided(world, fact, { on, day });
    if (request === undefined) return undefined;
    return { ...world, request, broken: world.broken ?? brokenBy(fact, world) };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return { ...world, broken: `an event that can not be: ${cause.message}` };
  }
}

function decided(
  { request, day: today }: World,
  fact: Recordable,
  { on, day }: Required<Deciding>,
): PrivacyState | undefined {
  const events = privacyDecider.decide({ type: "Record", fact }, on, { now: onDay(day) });
  return "kind" in events ? undefined : fold(request, events, today);
}

type Decided = Map<string, PrivacyState | undefined>;
const decisions = new WeakMap<PrivacyState, Map<number, Decided>>();

/** Worlds share their requests: the same fact on the same day leads to the same object. */
function decidedOnce(
  request: PrivacyState,
  fact: Recordable,
  day: number,
): PrivacyState | undefined {
  const byDay = known(decisions, request, () => new Map<number, Decided>());
  const byFact = known(byDay, day, () => new Map<string, PrivacyState | undefined>());
  const key = JSON.stringify(fact);
  if (byFact.has(key)) return byFact.get(key);
  const events = privacyDecider.decide({ type: "Record", fact }, request, { now: onDay(day) });
  const next = "kind" in events ? undefined : fold(request, events, day);
  byFact.set(key, next);
  return next;
}

/** What a map holds under a key, made when it is first asked for. */
function known<Key, Value>(
  map: { get: (key: Key) => Value | undefined; set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

/** A claim is judged by the world, not by the decider that allowed it. */
function brokenBy(fact: Recordable, { request, day }: World): string | null {
  if (fact.type !== "EraseClaimed" || request.status === "none") return null;
  if (request.holds.length > 0) return "claimed under a hold";
  return onDay(day) < (request.clocks.eraseAt ?? "") ? "claimed before its day" : null;
}

const holdsData = (backup: Backup | null) =>
  backup !== null && (backup.stores.links || backup.stores.visits);

/** What must never be so, by its name. */
const promises: Readonly<
  Record<string, (world: World, held: boolean, erased: boolean) => boolean>
> = {
  "erased after an acknowledged cancellation": ({ request }, _held, erased) =>
    outcomeOf(request) === "cancelled" && erased,
  "erased, and something is left": ({ request }, held) => request.status === "erased" && held,
  "completed, and something is left": ({ request, backup }, held) =>
    outcomeOf(request) === "fulfilled" && (held || holdsData(backup)),
  "erased without an entry in the journal": ({ journal }, _held, erased) => erased && !journal,
  "key destroyed too early": ({ keyDestroyed, restored }, held) =>
    keyDestroyed && held && !restored,
  "serves a subject that was erased": ({ restored, sealed, journal }, held) =>
    restored && !sealed && journal && held,
};
const outcomeOf = (request: PrivacyState) => (request.status === "none" ? null : request.outcome);

/** Promises that a world breaks. */
export function brokenIn(world: World): readonly string[] {
  const { links, visits } = world.stores;
  const found = Object.keys(promises).filter((name) =>
    promises[name]?.(world, links || visits, !links || !visits),
  );
  return world.broken === null ? found : [world.broken, ...found];
}

/**
 * Everything that decides the future of a world, as text.
 * @param staleMatters whether a fault acts on what it saw; otherwise it only matters that it is stale
 */
export function keyOf(world: World, staleMatters: boolean): string {
  const { request, backup, day } = world;
  const keyOfSeen = (seen: Seen) => {
    if (seen === null) return "-";
    if (seen === request) return "=";
    return staleMatters ? requestKey(seen, day) : "~";
  };
  const worker = ({ seen, done }: Worker) =>
    done === null ? keyOfSeen(seen) : `${done.type}${Object.values(done.data).join(".")}`;
  const { stores } = world;
  return [
    day,
    requestKey(request, day),
    bits(stores.links, stores.visits, world.keyDestroyed, world.journal, world.refused, world.job),
    bits(world.jobLost, world.late, world.failed, world.backupTaken, world.restored, world.sealed),
    world.holdsPlaced,
    keyOfSeen(world.holder),
    world.officers.map(keyOfSeen).toSorted().join(","),
    world.workers.map(worker).toSorted().join(","),
    backup === null ? "" : backupKey(backup, request, day),
    world.broken ?? "",
  ].join("|");
}

const bits = (...values: readonly boolean[]) => values.map(Number).join("");

function backupKey({ day, request, stores }: Backup, now: PrivacyState, today: number): string {
  const aged = now.status === "erased" && onDay(day) > (now.erasedAt ?? "");
  return `${day}${requestKey(request, today)}${bits(stores.links, stores.visits, aged)}`;
}

/** An erasure that is due is due for ever, whatever its day was. */
function requestKey(request: PrivacyState, day: number): string {
  const byDay = known(requestKeys, request, () => new Map<number, string>());
  return known(byDay, day, () => requestKeyOf(request, day));
}
const requestKeys = new WeakMap<PrivacyState, Map<number, string>>();

function requestKeyOf(request: PrivacyState, day: number): string {
  if (request.status === "none") return "none";
  const { status, outcome, clocks, holds, open, attempts, suppressed } = request;
  const due = (clocks.eraseAt ?? "") <= onDay(day);
  const failed = Object.values(attempts).join("");
  return `${status}${outcome ?? ""}${holds.length}${open.join(".")}${failed}${bits(suppressed, due)}`;
}
