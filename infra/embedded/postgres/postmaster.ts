import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { endProcess, signalProcess, waitUntilGone } from "../process/end-process.ts";
import { commandLineOf, processesWorkingIn } from "../process/process-identity.ts";

/** Lines of `postmaster.pid` (PostgreSQL source, `src/include/utils/pidfile.h`). */
const PID_LINE = 0;
const STATUS_LINE = 7;

async function readPidFile(cluster: string): Promise<{ pid: number; status: string } | undefined> {
  const text = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return { pid: Number(lines[PID_LINE]), status: (lines[STATUS_LINE] ?? "").trim() };
}

/** Whether the postmaster `pid` of this cluster accepts connections, by its own report; of a standby, to read. */
export async function isPostmasterReady(cluster: string, pid: number): Promise<boolean> {
  const file = await readPidFile(cluster);
  return file?.pid === pid && ["ready", "standby"].includes(file.status);
}

/**
 * Ends what an earlier owner of the cluster left behind when it was killed: its postmaster, or the
 * remains of one. The caller holds the lock of the data directory, so that no other process uses it.
 * @param cluster real path of the cluster
 */
export async function endLeftoverPostmaster(cluster: string): Promise<void> {
  const file = await readPidFile(cluster);
  if (file === undefined) return;
  const command = await commandLineOf(file.pid);
  // The number may meanwhile belong to an unrelated process, which is left alone.
  if (command?.includes("postgres") === true && command.includes(cluster)) {
    await endProcess(file.pid, [
      { signal: "SIGINT", withinMs: 5000 },
      { signal: "SIGQUIT", withinMs: 3000 },
      { signal: "SIGKILL", withinMs: 2000 },
    ]);
  }
  await endLeftoverBackends(cluster);
  // A postmaster that was killed leaves its file, and refuses to start while any process, even an
  // unrelated one or a zombie, has that number. Nothing uses the cluster any more, so it may go.
  await rm(join(cluster, "postmaster.pid"), { force: true });
}

/** Backends end by themselves soon after their postmaster; a busy one may need to be made to. */
async function endLeftoverBackends(cluster: string): Promise<void> {
  for (const pid of await processesWorkingIn(cluster)) {
    if (await waitUntilGone(pid, 1000)) continue;
    signalProcess(pid, "SIGKILL");
    if (!(await waitUntilGone(pid, 2000))) throw new Error(`Process ${pid} still uses ${cluster}`);
  }
}
