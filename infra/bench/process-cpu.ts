import { readFile } from "node:fs/promises";

/** Clock ticks per second of `/proc` (USER_HZ), which Linux fixes at 100 for user space. */
const ticksPerSecond = 100;

/**
 * CPU seconds (user and system, all threads) that a process has used so far.
 * Source: proc_pid_stat(5), fields 14 and 15; the name in field 2 may hold spaces.
 */
export async function processCpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
