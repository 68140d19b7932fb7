import { readdir, readFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem } from "node:os";

import { statFields } from "../embedded/process/process-identity.ts";

/** The machine on which figures were taken, in one line. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${availableParallelism()} cores (${model}), ${memory} GiB, Linux ${release()}, Node ${process.version}`;
}

/** Clock ticks per second of `/proc` (USER_HZ), which Linux fixes at 100 for user space. */
const ticksPerSecond = 100;

/** CPU seconds (user and system, all threads) that a process has used so far: fields 14 and 15. */
export async function processCpuSeconds(pid: number): Promise<number> {
  const fields = await statFields(pid);
  return (Number(fields?.[11]) + Number(fields?.[12])) / ticksPerSecond;
}

/**
 * What a process and all below it hold of the memory, pages shared by several counted in parts (Pss).
 * @throws when the memory of one of them may not be read
 */
export async function treeMemory(root: number): Promise<{ megabytes: number; processes: number }> {
  const tree = await treeOf(root);
  let kilobytes = 0;
  for (const pid of tree) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    kilobytes += Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
  }
  return { megabytes: kilobytes / 1024, processes: tree.length };
}

/** CPU seconds that a process and all that run below it have used so far; those that have ended do not count. */
export async function treeCpuSeconds(root: number): Promise<number> {
  const each = await Promise.all((await treeOf(root)).map(processCpuSeconds));
  return each.reduce((sum, seconds) => sum + (Number.isNaN(seconds) ? 0 : seconds), 0);
}

/** Numbers of a process and all below it. */
async function treeOf(root: number): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const parents = new Map<number, number>();
  // Field 4 is the parent.
  for (const pid of pids) parents.set(pid, Number((await statFields(pid))?.[1] ?? 0));
  const isBelow = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isBelow(parents.get(pid) ?? 0));
  return pids.filter(isBelow);
}
