import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Gives other processes precedence over one that leads a session, as those that are supervised here do. Linux may
 * share the processor among sessions first (autogroup): there a priority counts within its session alone, so that the
 * session needs the same one. Threads that the process starts later inherit it.
 */
export function giveWay(pid: number, niceness: number): void {
  setPriority(pid, niceness);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // No such groups: the priority of the process counts.
  }
}
