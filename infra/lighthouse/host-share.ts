import { readFile } from "node:fs/promises";

/** Time of all processors since the system began, in its own ticks. */
export type ProcessorTime = {
  all: number;
  /** Ticks in which this system had work, and its host gave the processor to somebody else. */
  taken: number;
};

/** The columns of `cpu` up to `steal` (proc_stat(5)); those after it are counted in them already. */
const upToSteal = 8;

/** Reads `/proc/stat`. Nothing when it does not tell what the host takes. */
export function parseProcessorTime(stat: string): ProcessorTime | undefined {
  const [label, ...ticks] = stat.split("\n", 1)[0]?.trim().split(/\s+/) ?? [];
  const columns = ticks.slice(0, upToSteal).map(Number);
  const taken = columns[upToSteal - 1];
  if (label !== "cpu" || taken === undefined || columns.some(Number.isNaN)) return undefined;
  return { all: columns.reduce((sum, column) => sum + column, 0), taken };
}

/** Nothing on systems other than Linux. */
export async function readProcessorTime(): Promise<ProcessorTime | undefined> {
  const stat = await readFile("/proc/stat", "utf8").catch(() => "");
  return parseProcessorTime(stat);
}

/** Which share of the processors' time the host took between two readings, in percent. */
export function percentTaken(
  before: ProcessorTime | undefined,
  after: ProcessorTime | undefined,
): number {
  if (before === undefined || after === undefined || after.all <= before.all) return 0;
  return (100 * (after.taken - before.taken)) / (after.all - before.all);
}
