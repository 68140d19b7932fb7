import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

import { writePrivateFile } from "./atomic-file.ts";
import { endProcess } from "./process/end-process.ts";
import { fingerprintOf } from "./process/process-identity.ts";

/** A running process, with what proves later that its number still belongs to it. */
const RecordedProcess = z.object({
  name: z.string(),
  pid: z.number().int().positive(),
  fingerprint: z.string(),
  /** What asks it to end in good order. */
  stopSignal: z.enum(["SIGTERM", "SIGINT"]),
});
type RecordedProcess = z.infer<typeof RecordedProcess>;

/**
 * Where everything of the running instance is. Holds passwords: readable for its owner only. It is
 * there while the instance runs, and after one that was killed.
 */
const Runtime = z.object({
  pid: z.number().int().positive(),
  startedAt: z.iso.datetime(),
  /** The one public origin, as in `http://localhost:3000`. */
  origin: z.string(),
  postgres: z
    .object({
      superuserUrl: z.string(),
      /** Database `pro_talent` as its owner, as the migrations use it. */
      ownerUrl: z.string(),
      /** The same database, by the roles of operators. */
      operatorUrls: z.record(z.string(), z.string()).default({}),
    })
    .optional(),
  clickhouse: z.object({ url: z.string(), database: z.string() }).optional(),
  /** `webUrl` lets in who opens it. */
  mail: z.object({ smtpUrl: z.string(), webUrl: z.string() }).optional(),
  /** Base address of each service, past the gateway. */
  services: z.record(z.string(), z.string()),
  processes: z.array(RecordedProcess),
});
export type Runtime = z.infer<typeof Runtime>;

function fileIn(dataDir: string): string {
  return join(dataDir, "runtime.json");
}

/** Undefined when nothing runs on this data directory, and nothing was killed on it either. */
export async function readRuntime(dataDir: string): Promise<Runtime | undefined> {
  const text = await readFile(fileIn(dataDir), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  // A file of another version cannot be understood: as good as none.
  const parsed = Runtime.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

export async function writeRuntime(dataDir: string, runtime: Runtime): Promise<void> {
  await writePrivateFile(fileIn(dataDir), `${JSON.stringify(runtime, null, 2)}\n`);
}

export async function removeRuntime(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

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
