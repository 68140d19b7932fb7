import { measured } from "./measured.ts";
import { assumed, secondsPerDay, times, type Traffic, trafficOf } from "./traffic.ts";

export const parts = ["collectors", "services", "postgres", "clickhouse"] as const;
export type Part = (typeof parts)[number];

/** What the collector does between two segments of its spool, and how ClickHouse merges. */
export const shipping = { segmentSeconds: 0.5, segmentRows: 20_000, partsMerged: 8 } as const;
/** Visits are kept for 25 months, the ledger for good; a disk is filled to seven tenths. */
const keptDays = 760;
export const diskBytes = { clickhouse: 8e12, postgres: 4e12 } as const;
export const diskFilled = 0.7;
/** Replicas of a shard: each stores and merges everything, one of them inserts, questions are spread. */
const replicasOfShard = 2;
/** Only one Postgres writes, so that it begins with half to spare; these are sizes of machines. */
const postgresCores = [4, 8, 16, 32, 64] as const;
const coresOfMachine = { collectors: 2, services: 2, clickhouse: 8 } as const;
/** Up to so many events a day one machine does everything. */
const togetherMax = 1e7;
/** The collector is one process there; everything else shares the others. */
const togetherCores = { collectors: 1, others: 3 } as const;

export type Sizes = {
  readonly eventsPerDay: number;
  /** All parts on one machine. */
  readonly together: boolean;
  /** Machines that carry the busiest hour; of ClickHouse shards, each of two machines. */
  readonly machines: Readonly<Record<Part, number>>;
  /** Processors of one machine. */
  readonly cores: Readonly<Record<Part, number>>;
};

export const msOfEvent = 1000 / measured.collectorEventsPerSecond.value;
/** Recording is the work of one process, whose callers share its statements. */
export const msOfFact = 1000 / measured.appendsPerSecond.value;

/** How ClickHouse is divided, and how many collectors insert. */
type Division = {
  readonly shards: number;
  readonly replicas: number;
  readonly processes: number;
};

/** How often a row is merged until its month is one part of each table. */
export function mergesOfRow({ events, opens }: Traffic, { shards, processes }: Division): number {
  const inserted = ((events + opens) * shipping.segmentSeconds) / processes / shards;
  const ofMonth = (events / assumed.peak) * secondsPerDay * (30 / shards);
  return Math.log(Math.max(ofMonth / inserted, 1)) / Math.log(shipping.partsMerged);
}

/** Processors that each part is busy with, in the busiest hour. */
export function demandOf(traffic: Traffic, division: Division): Record<Part, number> {
  const { events, opens, facts, calls, questions } = traffic;
  const ms = (name: keyof typeof measured): number => measured[name].value;
  const { shards, replicas, processes } = division;
  const inserts = processes / shipping.segmentSeconds;
  const rows = events + opens;
  const merges = mergesOfRow(traffic, division) * replicas;
  const inMs = {
    collectors: events * msOfEvent + opens * ms("openCpuMs"),
    services: calls * ms("callCpuMs") + facts * (msOfFact + assumed.jobsPerFact * ms("jobCpuMs")),
    postgres:
      events * ms("collectorDatabaseCpuMs") +
      opens * ms("openDatabaseCpuMs") +
      facts * ms("appendDatabaseCpuMs") +
      calls * assumed.callDatabaseCpuMs,
    clickhouse:
      inserts * shards * ms("insertCpuMs") +
      rows * (ms("insertRowCpuMs") + merges * ms("mergeRowCpuMs")) +
      questions * ms("questionCpuMs"),
  };
  return {
    collectors: inMs.collectors / 1000,
    services: inMs.services / 1000,
    postgres: inMs.postgres / 1000,
    clickhouse: inMs.clickhouse / 1000,
  };
}

/** Bytes on the disks after so long as visits are kept; of Postgres after a year. */
export function bytesOf(eventsPerDay: number): { clickhouse: number; postgresPerYear: number } {
  const facts = eventsPerDay / assumed.eventsPerFact;
  return {
    clickhouse: eventsPerDay * measured.rowBytes.value * keptDays,
    postgresPerYear: facts * measured.ledgerEventBytes.value * 365,
  };
}

/** The fewest machines whose processors carry so much. */
const fewest = (demand: number, cores: number): number => Math.floor(demand / cores) + 1;

/** The fewest machines that carry the busiest hour of so many events a day. */
export function sizesFor(eventsPerDay: number): Sizes {
  const traffic = trafficOf(eventsPerDay);
  if (eventsPerDay <= togetherMax) {
    const { collectors, others } = togetherCores;
    return {
      eventsPerDay,
      together: true,
      machines: { collectors: 1, services: 1, postgres: 1, clickhouse: 1 },
      cores: { collectors, services: others, postgres: others, clickhouse: others },
    };
  }
  const { collectors: cores } = coresOfMachine;
  const alone = { shards: 1, replicas: 1, processes: 1 };
  const collectors = fewest(demandOf(traffic, alone).collectors, cores);
  const divided = { replicas: replicasOfShard, processes: collectors * cores };
  const disks = bytesOf(eventsPerDay).clickhouse / (diskBytes.clickhouse * diskFilled);
  let shards = Math.ceil(disks);
  while (demandOf(traffic, { ...divided, shards }).clickhouse >= capacityOfShards(shards))
    shards += 1;
  const demand = demandOf(traffic, { ...divided, shards });
  const large = postgresCores.find((size) => size * 0.5 > demand.postgres) ?? 64;
  return {
    eventsPerDay,
    together: false,
    machines: {
      collectors,
      services: fewest(demand.services, coresOfMachine.services),
      postgres: 1,
      clickhouse: shards,
    },
    cores: { ...coresOfMachine, postgres: large },
  };
}

const capacityOfShards = (shards: number): number =>
  shards * coresOfMachine.clickhouse * replicasOfShard;

export const divisionOf = (sizes: Sizes): Division => ({
  shards: sizes.machines.clickhouse,
  replicas: sizes.together ? 1 : replicasOfShard,
  processes: processesOf(sizes),
});

/** Processes of collectors: one for each processor that they have. */
export const processesOf = ({ machines, cores }: Sizes): number =>
  machines.collectors * cores.collectors;

/** Processors of a part. */
export function coresOf(sizes: Sizes, part: Part): number {
  const machines = part === "clickhouse" ? divisionOf(sizes).replicas : 1;
  return sizes.machines[part] * machines * sizes.cores[part];
}

/** The same machines with spare ones: one more of each kind that is several processes, where it is apart. */
export function withSpares(sizes: Sizes): Sizes {
  if (sizes.together) return sizes;
  const { collectors, services } = sizes.machines;
  return {
    ...sizes,
    machines: { ...sizes.machines, collectors: collectors + 1, services: services + 1 },
  };
}

/** What can be full: processors, or the one process that records decisions. */
export type Limit = Part | "machine" | "recording";
type Use = { readonly limit: Limit; readonly used: number };

/** How full everything is, the fullest first. */
export function usesOf(sizes: Sizes, traffic: Traffic): readonly Use[] {
  const demand = demandOf(traffic, divisionOf(sizes));
  const recording: Use = { limit: "recording", used: (traffic.facts * msOfFact) / 1000 };
  const others = demand.services + demand.postgres + demand.clickhouse;
  const machines: readonly Use[] = sizes.together
    ? [
        { limit: "collectors", used: demand.collectors / coresOf(sizes, "collectors") },
        { limit: "machine", used: others / coresOf(sizes, "services") },
      ]
    : parts.map((part) => ({ limit: part, used: demand[part] / coresOf(sizes, part) }));
  return [...machines, recording].toSorted((one, other) => other.used - one.used);
}

/** What is full first while the same mixture grows, and at how many times the busiest hour that is. */
export function breaksFirst(sizes: Sizes): { readonly limit: Limit; readonly at: number } {
  const traffic = trafficOf(sizes.eventsPerDay);
  let [low, high] = [0, 2];
  const fullest = (factor: number): Use | undefined => usesOf(sizes, times(traffic, factor))[0];
  while ((fullest(high)?.used ?? 1) < 1) high *= 2;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if ((fullest(middle)?.used ?? 1) < 1) low = middle;
    else high = middle;
  }
  return { limit: fullest(high)?.limit ?? "machine", at: high };
}
