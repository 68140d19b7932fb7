import { measured } from "./measured.ts";
import { growthOf, type Run, simulate } from "./simulate.ts";
import {
  breaksFirst,
  bytesOf,
  coresOf,
  diskBytes,
  diskFilled,
  divisionOf,
  type Limit,
  parts,
  type Sizes,
  sizesFor,
  usesOf,
  withSpares,
} from "./sizes.ts";
import { accountsOf, times, trafficOf } from "./traffic.ts";

/** Events of the site in a day for which the page states sizes. */
export const scales = [1e6, 1e7, 1e8, 1e9] as const;
const seed = 20_261_126;
export const overload = 1.3;

const names: Record<Limit, string> = {
  machine: "processors of the machine",
  collectors: "collectors",
  services: "services and workers",
  postgres: "Postgres",
  clickhouse: "ClickHouse",
  recording: "recording of decisions",
};

/** The tables of the capacity page, in its order. */
export function capacityTables(): readonly string[] {
  return [figuresTable(), trafficTable(), machinesTable(), limitsTable(), simulationTable()];
}

function figuresTable(): string {
  const rows = Object.values(measured).map(({ value, unit, command }) => [
    value.toLocaleString("en", { maximumSignificantDigits: 3 }),
    unit,
    `\`${command}\``,
  ]);
  return tableOf(["figure", "what", "measured by"], rows);
}

function trafficTable(): string {
  const rows = scales.map((eventsPerDay) => {
    const { events, opens, facts, calls, questions } = trafficOf(eventsPerDay);
    const perSecond = [events, opens, facts, calls, questions].map((count) => short(count));
    return [short(eventsPerDay), short(accountsOf(eventsPerDay)), ...perSecond];
  });
  const kinds = ["events/s", "opens/s", "decisions/s", "signed-in calls/s", "questions/s"];
  return tableOf(["events a day", "accounts", ...kinds], rows);
}

function machinesTable(): string {
  const rows = scales.map((eventsPerDay) => {
    const sizes = sizesFor(eventsPerDay);
    const { machines, cores, together } = sizes;
    if (together)
      return [
        short(eventsPerDay),
        `one machine with ${cores.collectors + cores.services}`,
        "",
        "",
        "",
        "",
      ];
    return [
      short(eventsPerDay),
      `${machines.collectors} + 1 with ${cores.collectors}`,
      `${machines.services} + 1 with ${cores.services}`,
      `1 + 1 with ${cores.postgres}`,
      `${machines.clickhouse} × ${divisionOf(sizes).replicas} with ${cores.clickhouse}`,
      parts
        .map((part) => (part === "postgres" ? 2 : 1) * coresOf(withSpares(sizes), part))
        .reduce((sum, count) => sum + count, 0)
        .toFixed(0),
    ];
  });
  const heads = ["collectors", "services and workers", "Postgres", "ClickHouse", "processors"];
  return tableOf(["events a day", ...heads], rows);
}

function limitsTable(): string {
  const rows = scales.map((eventsPerDay) => {
    const sizes = sizesFor(eventsPerDay);
    const [fullest] = usesOf(sizes, trafficOf(eventsPerDay));
    const { limit, at } = breaksFirst(sizes);
    const bytes = bytesOf(eventsPerDay);
    const years = (diskBytes.postgres * diskFilled) / bytes.postgresPerYear;
    return [
      short(eventsPerDay),
      `${names[limit]}, at ${at.toFixed(1)} times the busiest hour`,
      `${((fullest?.used ?? 0) * 100).toFixed(0)} %`,
      `${terabytes(bytes.clickhouse)} TB`,
      `${terabytes(bytes.postgresPerYear)} TB a year: ${spanOf(years)}`,
    ];
  });
  const heads = ["breaks first", "busy", "visits of 25 months", "ledger, until 4 TB are full"];
  return tableOf(["events a day", ...heads], rows);
}

function simulationTable(): string {
  const rows = scales.map((eventsPerDay) => {
    const sizes = sizesFor(eventsPerDay);
    const { limit, at } = breaksFirst(sizes);
    const traffic = trafficOf(eventsPerDay);
    const carried = simulate(sizes, traffic, { seed });
    const fewer = withOneFewer(sizes, limit);
    return [
      short(eventsPerDay),
      waits(carried, traffic.events),
      fewer === undefined ? "there is none" : grows(simulate(fewer, traffic, { seed }), limit),
      grows(simulate(sizes, times(traffic, at * overload), { seed }), limit),
      String(carried.partsMax),
    ];
  });
  const heads = [
    "waiting at most, with the machines above without spares",
    "one machine fewer of what breaks first",
    `${overload} times what it can carry`,
    "parts of a shard at most",
  ];
  return tableOf(["events a day", ...heads], rows);
}

/** The sizes with one machine fewer of what breaks first; undefined where there is only one. */
export function withOneFewer(sizes: Sizes, limit: Limit): Sizes | undefined {
  if (limit === "machine" || limit === "recording" || sizes.machines[limit] === 1) return undefined;
  return { ...sizes, machines: { ...sizes.machines, [limit]: sizes.machines[limit] - 1 } };
}

/** The queue in which a limit shows. */
export const queueOf = (limit: Limit) => (limit === "machine" ? "services" : limit);

function waits({ waiting }: Run, eventsPerSecond: number): string {
  const processors = parts.map((part) => Math.max(...waiting.map((now) => now[part])));
  const spool = Math.max(...waiting.map((now) => now.spool)) / eventsPerSecond;
  return `${Math.max(...processors).toFixed(1)} s of a processor, ${spool.toFixed(1)} s in spools`;
}

function grows(run: Run, limit: Limit): string {
  return `${names[limit]}: ${growthOf(run)[queueOf(limit)].toFixed(2)} processors are missing`;
}

function spanOf(years: number): string {
  if (years > 100) return "over 100 years";
  return years < 2 ? `${(years * 12).toFixed(0)} months` : `${years.toFixed(0)} years`;
}

const terabytes = (bytes: number): string => (bytes / 1e12).toPrecision(2);
const short = (count: number): string =>
  count.toLocaleString("en", { maximumSignificantDigits: 2 });

/** As `oxfmt` sets a table: columns as wide as their widest cell. */
function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(heads), rule, ...rows.map(line)].join("\n");
}
