import { mkdir, readFile, readlink, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { writePrivateFile } from "../embedded/atomic-file.ts";
import { sealFile } from "../embedded/data-dir.ts";
import { endLeftoverPostmaster } from "../embedded/postgres/postmaster.ts";
import { signalProcess, waitUntilGone } from "../embedded/process/end-process.ts";
import { processesWorkingIn } from "../embedded/process/process-identity.ts";
import { endLeftovers, readRuntime } from "../embedded/runtime-file.ts";
import { syncDirectory } from "./directory.ts";

/** What a set brings back, by the names in the data directory. */
const stores = ["postgres", "clickhouse", "files", "spool"] as const;
const engineEndsWithinMs = 15_000;

const Seal = z.object({
  set: z.string(),
  /** Beside the data directory's content, where the former data is. */
  former: z.string(),
  /** Whether all of it is there: what stands in its place is of an interrupted restore. */
  moved: z.boolean(),
});

/**
 * Moves what stands in a data directory aside, in steps that can be interrupted anywhere and repeated.
 * The seal comes first: whatever happens from here on, nothing starts on this directory. Only what an
 * interrupted restore wrote is deleted.
 * @returns where the former data is
 */
export async function setAside(dataDir: string, set: string, nowMs: number): Promise<string> {
  // Of an instance, or of a restore, that was killed: they notice it a moment later.
  await endLeftovers((await readRuntime(dataDir))?.processes ?? []);
  await endEngines(dataDir);
  const begun = await readSeal(dataDir);
  const at = instantFromMs(nowMs).slice(0, 19).replaceAll(/[-:]/gu, "");
  const former = begun?.former ?? `before-restore-${at}`;
  const writeSeal = (moved: boolean): Promise<void> =>
    writePrivateFile(join(dataDir, sealFile), JSON.stringify({ set, former, moved }));
  await writeSeal(begun?.moved ?? false);
  await syncDirectory(dataDir);
  if (begun?.moved === true) await removeStores(dataDir);
  await mkdir(join(dataDir, former), { recursive: true, mode: 0o711 });
  for (const name of stores) {
    await rename(join(dataDir, name), join(dataDir, former, name)).catch(unlessMissing);
  }
  await syncDirectory(join(dataDir, former));
  await syncDirectory(dataDir);
  await writeSeal(true);
  return join(dataDir, former);
}

/** Deletes what a restore wrote. */
export async function removeStores(dataDir: string): Promise<void> {
  const elsewhere = await readlink(join(dataDir, "postgres", "elsewhere")).catch(() => undefined);
  if (elsewhere !== undefined) await rm(elsewhere, { recursive: true, force: true });
  for (const name of stores) await rm(join(dataDir, name), { recursive: true, force: true });
}

/** Undefined without one. A seal of an earlier version does not say what was moved: nothing counts as. */
async function readSeal(dataDir: string): Promise<z.infer<typeof Seal> | undefined> {
  const text = await readFile(join(dataDir, sealFile), "utf8").catch(unlessMissing);
  if (text === undefined) return undefined;
  const seal = Seal.safeParse(JSON.parse(text));
  return seal.success ? seal.data : undefined;
}

/** Engines that outlive a killed process for a moment. */
export async function endEngines(dataDir: string): Promise<void> {
  for (const place of ["postgres/cluster", "postgres/elsewhere/cluster"]) {
    const cluster = await realpath(join(dataDir, place)).catch(unlessMissing);
    if (cluster !== undefined) await endLeftoverPostmaster(cluster);
  }
  const clickhouse = await realpath(join(dataDir, "clickhouse")).catch(unlessMissing);
  for (const pid of clickhouse === undefined ? [] : await processesWorkingIn(clickhouse)) {
    if (await waitUntilGone(pid, engineEndsWithinMs)) continue;
    signalProcess(pid, "SIGKILL");
    await waitUntilGone(pid, engineEndsWithinMs);
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
