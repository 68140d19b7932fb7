import { measured } from "./measured.ts";
import { Processors, Scheduler, seeded } from "./scheduler.ts";
import {
  coresOf,
  divisionOf,
  mergesOfRow,
  msOfEvent,
  msOfFact,
  type Part,
  parts,
  processesOf,
  shipping,
  type Sizes,
} from "./sizes.ts";
import { assumed, type Kind, kinds, type Traffic } from "./traffic.ts";

/** What may wait. Processors and the one process that records: seconds of work; the spool: records. */
export const queues = [...parts, "recording", "spool"] as const;
export type Queue = (typeof queues)[number];
type Waiting = Record<Queue, number>;

/** What was seen: how much waited in each second, and how many parts a shard had at most. */
export type Run = {
  readonly seconds: number;
  readonly waiting: readonly Waiting[];
  readonly partsMax: number;
};

/** Arrivals come in batches, so many of each kind a second, at random moments and of random sizes. */
const batchesPerSecond = 50;
/** ClickHouse refuses inserts into a table with so many parts that wait to be merged. */
const partsRefused = 3_000;
const retrySeconds = 1;
const levelsSimulated = 2;

/**
 * Lets a traffic arrive at machines of some sizes: collectors, the consent gate in Postgres, spools, their
 * segments, ClickHouse with its merges and questions, opens, the ledger, signed-in calls and jobs.
 */
export function simulate(
  sizes: Sizes,
  traffic: Traffic,
  { seed, seconds = 240 }: { seed: number; seconds?: number },
): Run {
  const scheduler = new Scheduler();
  const machines = machinesOf(scheduler, sizes);
  const recording = new Processors(scheduler, 1);
  const division = divisionOf(sizes);
  const merges = { ofRow: mergesOfRow(traffic, division), replicas: division.replicas };
  const spools = spoolsOf(scheduler, sizes, { machines, merges });
  const random = seeded(seed);
  const later = (part: "collectors" | "services" | "postgres", ms: number, next: () => void) =>
    machines[part].run(ms / 1000, next);
  const figure = (name: keyof typeof measured): number => measured[name].value;
  const end = (): void => undefined;

  const arrive: Record<Kind, (count: number) => void> = {
    events: (count) =>
      later("collectors", count * msOfEvent, () =>
        later("postgres", count * figure("collectorDatabaseCpuMs"), () =>
          spools.add(count, random()),
        ),
      ),
    opens: (count) =>
      later("collectors", count * figure("openCpuMs"), () =>
        later("postgres", count * figure("openDatabaseCpuMs"), () => spools.add(count, random())),
      ),
    facts: (count) =>
      recording.run((count * msOfFact) / 1000, () =>
        later("postgres", count * figure("appendDatabaseCpuMs"), () =>
          later("services", count * (msOfFact + assumed.jobsPerFact * figure("jobCpuMs")), end),
        ),
      ),
    calls: (count) =>
      later("services", count * figure("callCpuMs"), () =>
        later("postgres", count * assumed.callDatabaseCpuMs, end),
      ),
    questions: (count) =>
      machines.shards[Math.floor(random() * machines.shards.length)]?.run(
        (count * figure("questionCpuMs")) / 1000,
        end,
      ),
  };
  for (const kind of kinds) generate(scheduler, traffic[kind], random, arrive[kind]);

  const waiting: Waiting[] = [];
  const look = (): void => {
    waiting.push({
      ...machines.waiting(),
      recording: recording.waiting,
      spool: spools.records(),
    });
    scheduler.after(1, look);
  };
  scheduler.after(1, look);
  scheduler.runUntil(seconds);
  return { seconds, waiting, partsMax: spools.partsMax() };
}

/** A Poisson process of batches whose sizes vary exponentially. */
function generate(
  scheduler: Scheduler,
  perSecond: number,
  random: () => number,
  arrive: (count: number) => void,
): void {
  const exponential = (): number => -Math.log(1 - random());
  const next = (): void => {
    arrive((perSecond / batchesPerSecond) * exponential());
    scheduler.after(exponential() / batchesPerSecond, next);
  };
  scheduler.after(exponential() / batchesPerSecond, next);
}

/** How often a row is merged until its month is one part, and by how many machines. */
type Merges = { readonly ofRow: number; readonly replicas: number };
type Machines = ReturnType<typeof machinesOf>;

function machinesOf(scheduler: Scheduler, sizes: Sizes) {
  const made = (part: Part) => new Processors(scheduler, coresOf(sizes, part));
  const one = sizes.together ? made("services") : undefined;
  const shardCores = coresOf(sizes, "clickhouse") / sizes.machines.clickhouse;
  const shards = Array.from(
    { length: sizes.machines.clickhouse },
    () => one ?? new Processors(scheduler, shardCores),
  );
  const collectors = made("collectors");
  const [services, postgres] = [one ?? made("services"), one ?? made("postgres")];
  return {
    collectors,
    services,
    postgres,
    shards,
    waiting: (): Record<Part, number> => ({
      collectors: collectors.waiting,
      services: services.waiting,
      postgres: postgres.waiting,
      clickhouse: [...new Set(shards)].reduce((sum, { waiting }) => sum + waiting, 0),
    }),
  };
}

/** Spools of all processes: each ships one segment at a time, a share of it to every shard. */
function spoolsOf(
  scheduler: Scheduler,
  sizes: Sizes,
  { machines, merges }: { machines: Machines; merges: Merges },
) {
  const shards = machines.shards.map((processors) => new Shard(processors, merges));
  const records: number[] = Array.from({ length: processesOf(sizes) }, () => 0);
  const ship = (process: number): void => {
    const rows = Math.min(records[process] ?? 0, shipping.segmentRows);
    const isRefused = shards.some(({ parts: count }) => count >= partsRefused);
    if (rows === 0 || isRefused) {
      scheduler.after(isRefused ? retrySeconds : shipping.segmentSeconds, () => ship(process));
      return;
    }
    let open = shards.length;
    const started = scheduler.now;
    for (const shard of shards) {
      shard.insert(rows / shards.length, () => {
        open -= 1;
        if (open > 0) return;
        records[process] = (records[process] ?? 0) - rows;
        const rest = Math.max(0, shipping.segmentSeconds - (scheduler.now - started));
        scheduler.after(rest, () => ship(process));
      });
    }
  };
  for (const process of records.keys())
    scheduler.after((shipping.segmentSeconds * process) / records.length, () => ship(process));
  return {
    add: (count: number, at: number): void => {
      const process = Math.floor(at * records.length);
      records[process] = (records[process] ?? 0) + count;
    },
    records: () => records.reduce((sum, count) => sum + count, 0),
    partsMax: () => Math.max(...shards.map((shard) => shard.partsMax)),
  };
}

/** Tables of one shard: inserts make parts, merges make fewer and larger ones of them. */
class Shard {
  parts = 0;
  partsMax = 0;
  readonly #processors: Processors;
  /** Rows of the parts of each level: of the first as inserted, of each further one merged once more. */
  readonly #levels: number[][] = [];

  readonly #merges: Merges;

  constructor(processors: Processors, merges: Merges) {
    this.#processors = processors;
    this.#merges = merges;
  }

  insert(rows: number, done: () => void): void {
    const ms = measured.insertCpuMs.value + rows * measured.insertRowCpuMs.value;
    this.#processors.run(ms / 1000, () => {
      this.#add(0, rows);
      done();
    });
  }

  #add(level: number, rows: number): void {
    const own = (this.#levels[level] ??= []);
    own.push(rows);
    this.parts += 1;
    this.partsMax = Math.max(this.partsMax, this.parts);
    if (own.length < shipping.partsMerged) return;
    const merged = own.splice(0).reduce((sum, count) => sum + count, 0);
    // Merges that come less often than a simulation lasts are paid with the last one that it has.
    const isLast = level + 1 === levelsSimulated;
    const repeated = isLast ? Math.max(1, this.#merges.ofRow - level) : 1;
    const ms = merged * measured.mergeRowCpuMs.value * this.#merges.replicas * repeated;
    const done = (): void => {
      this.parts -= shipping.partsMerged;
      if (!isLast) this.#add(level + 1, merged);
    };
    this.#processors.run(ms / 1000, done, "background");
  }
}

/**
 * How fast each queue grows: what was waiting in the last quarter beside what was in the second one, for
 * each second between. Of processors it is the number that is missing.
 */
export function growthOf({ waiting, seconds }: Run): Waiting {
  const mean = (queue: Queue, from: number, to: number): number => {
    const some = waiting.slice(Math.floor(waiting.length * from), Math.floor(waiting.length * to));
    return some.reduce((sum, now) => sum + now[queue], 0) / some.length;
  };
  const growth = (queue: Queue): number =>
    (mean(queue, 0.75, 1) - mean(queue, 0.25, 0.5)) / (seconds / 2);
  return {
    collectors: growth("collectors"),
    services: growth("services"),
    postgres: growth("postgres"),
    clickhouse: growth("clickhouse"),
    recording: growth("recording"),
    spool: growth("spool"),
  };
}
