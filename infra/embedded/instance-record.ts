import { endProcess } from "./process/end-process.ts";
import { fingerprintOf } from "./process/process-identity.ts";
import type { RecordedProcess } from "./runtime-file.ts";

/** Records running processes so that they can be recognised later. One that just ended is left out. */
export async function recordProcesses(
  running: readonly { name: string; pid: number | undefined; stopSignal?: "SIGINT" }[],
): Promise<RecordedProcess[]> {
  const records = await Promise.all(
    running.map(async ({ name, pid, stopSignal = "SIGTERM" as const }) => {
      const fingerprint = pid === undefined ? undefined : await fingerprintOf(pid);
      const isKnown = pid !== undefined && fingerprint !== undefined;
      return isKnown ? [{ name, pid, fingerprint, stopSignal }] : [];
    }),
  );
  return records.flat();
}

/**
 * Ends the processes of an instance that was killed, in case they did not notice it themselves. One
 * whose number meanwhile belongs to another program is left alone.
 */
export async function endLeftovers(recorded: readonly RecordedProcess[]): Promise<void> {
  await Promise.all(
    recorded.map(async ({ pid, fingerprint, stopSignal }) => {
      if ((await fingerprintOf(pid)) !== fingerprint) return;
      await endProcess(pid, [
        { signal: stopSignal, withinMs: 3000 },
        { signal: "SIGKILL", withinMs: 3000 },
      ]);
    }),
  );
}
