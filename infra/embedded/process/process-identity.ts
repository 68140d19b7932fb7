import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * The full command line of a running process, arguments joined by spaces; undefined when there is
 * no such process. A zombie has none either: it runs no more, although its number is still taken.
 */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") {
    const raw = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return raw === "" ? undefined : raw.split("\0").join(" ").trim();
  }
  // `ps` fails when nothing has this number; `Z` marks a zombie.
  const { stdout } = await run("ps", ["-o", "stat=,command=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  const [, state, command] = /^\s*(\S+)\s+(.*)$/.exec(stdout.trim()) ?? [];
  return state === undefined || state.startsWith("Z") ? undefined : command;
}

/**
 * Whether a process still holds anything: files, sockets, locks. A process that is being killed
 * loses its command line first, and a zombie only holds its number.
 */
export async function isRunning(pid: number): Promise<boolean> {
  if (process.platform !== "linux") return (await commandLineOf(pid)) !== undefined;
  const fields = await statFields(pid);
  if (fields === undefined) return false;
  const isZombie = fields[0] === "Z" || fields[0] === "X";
  if (!isZombie) return true;
  // The first thread may be gone already while others still hold the files of the process.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  return threads.length > 1;
}

/** `/proc/<pid>/stat` from field 3 on: the name in field 2 may hold spaces (proc_pid_stat(5)). */
export async function statFields(pid: number): Promise<string[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Of field 22, the start in clock ticks since boot, among the fields from 3 on. */
const START_TIME = 19;

/**
 * What distinguishes a process from any other that had or gets the same number: its command line and
 * when it started. Undefined when it does not run.
 */
export async function fingerprintOf(pid: number): Promise<string | undefined> {
  const commandLine = await commandLineOf(pid);
  if (commandLine === undefined) return undefined;
  if (process.platform === "linux") {
    return `${(await statFields(pid))?.[START_TIME] ?? ""} ${commandLine}`;
  }
  const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  return `${stdout.trim()} ${commandLine}`;
}

/**
 * Numbers of the processes whose working directory is `directory` (an absolute, real path). Known on
 * Linux only; elsewhere, and for processes of other users, nothing is found.
 */
export async function processesWorkingIn(directory: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const entries = await readdir("/proc");
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (!/^\d+$/.test(entry)) return [];
      const place = await readlink(`/proc/${entry}/cwd`).catch(() => undefined);
      return place === directory ? [Number(entry)] : [];
    }),
  );
  return found.flat();
}
