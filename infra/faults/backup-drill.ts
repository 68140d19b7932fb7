import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { openBackupLog, setNames } from "../backup/manifest.ts";
import { listSets } from "../backup/purge.ts";
import { type BackupSettings, readBackupSettings } from "../backup/settings.ts";
import { dayMs } from "../backup/take.ts";
import { listRanges } from "../backup/wal-range.ts";
import { gapsInArchive } from "../backup/wal-restore.ts";
import { rememberedSecrets } from "../embedded/secrets.ts";
import { productServices } from "../embedded/services/product-services.ts";
import { startPlatform } from "../embedded/start-platform.ts";
import { createTerminal } from "../embedded/terminal.ts";
import { makeSet } from "./backup-sets.ts";
import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { seededRandom } from "./record-load.ts";

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const command = fileOf("../backup/backup.cli.ts");
const scheduled = fileOf("../backup/main.ts");
const stores = ["postgres", "clickhouse", "files", "spool"] as const;

/** A program that ended by itself, or was killed at one of its changes. */
type Ended = { readonly killed: boolean; readonly code: number; readonly errors: string };
type Kill = { readonly at: number; readonly when: "before" | "after" };

/** Runs `npm run backup`, perhaps until one of its changes to names and files. */
async function backup(dataDir: string, args: readonly string[], kill?: Kill): Promise<Ended> {
  const preload = kill === undefined ? [] : ["--import", fileOf("kill-at.ts")];
  const child = spawn(process.execPath, [...preload, command, ...args], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      KILL_AT: String(kill?.at ?? 0),
      KILL_WHEN: kill?.when,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = text(child.stderr);
  await once(child, "close");
  return {
    killed: child.signalCode === "SIGKILL",
    code: child.exitCode ?? -1,
    errors: await errors,
  };
}

/**
 * Kills a command at its changes, one after another; `check` looks at what each kill left.
 * @param kills at most so many, spread at random; all of them when it is infinite
 */
async function killEverywhere(
  run: (kill: Kill) => Promise<Ended>,
  check: (kill: Kill) => Promise<void>,
  { kills, random, steps }: { kills: number; random: () => number; steps: number },
): Promise<number> {
  let done = 0;
  const chance = kills / (2 * steps);
  for (let at = 1; at <= steps && done < kills; at += 1) {
    for (const when of ["before", "after"] as const) {
      if (random() > chance) continue;
      const { killed } = await run({ at, when });
      if (!killed) return done;
      done += 1;
      await check({ at, when });
    }
  }
  return done;
}

type Part = DrillOptions & { kills: number };

/** A purge that is killed anywhere leaves a directory that lists, purges and takes sets. */
export async function purgeDrill({ directory, seed, kills }: Part): Promise<Finding> {
  const dataDir = join(directory, "purge");
  await mkdir(dataDir, { recursive: true });
  await rememberedSecrets(dataDir);
  const settings = await readBackupSettings({ DATA_DIR: dataDir });
  const faults: string[] = [];
  const living = await makeSet(settings, Date.now());
  let expired: string[] = [];
  const begin = async (): Promise<void> => {
    for (const days of [40, 39]) expired.push(await makeSet(settings, Date.now() - days * dayMs));
  };
  const done = await killEverywhere(
    async (kill) => {
      await begin();
      return await backup(dataDir, ["purge"], kill);
    },
    async ({ at, when }) => {
      const place = `${when} change ${at}`;
      await listSets(settings).catch((error: unknown) => faults.push(`${place}: ${String(error)}`));
      const again = await backup(dataDir, ["purge"]);
      if (again.code !== 0) faults.push(`${place}: ${again.errors}`);
      const left = await listSets(settings);
      if (left.length !== 1 || left[0]?.set !== living || !left[0].openable)
        faults.push(`${place}: ${left.map(({ set }) => set).join(", ")} is left`);
      faults.push(...(await purgeRecords(settings, expired)).map((fault) => `${place}: ${fault}`));
      expired = [];
    },
    { kills, random: seededRandom(seed), steps: 40 },
  );
  return {
    statement:
      "a purge that is killed anywhere is completed by the next one, and nothing else stops",
    holds: faults.length === 0 && done > 0,
    figures: `${done} kills, ${faults.length} faults ${faults.slice(0, 5).join("; ")}`,
  };
}

/** Each purged set has one line, its key is destroyed, and nothing of it is left. */
async function purgeRecords(settings: BackupSettings, purged: string[]): Promise<string[]> {
  const lines = await openBackupLog(settings.directory, settings.signingKey).read();
  const epochs = new Set((await settings.keys.epochs()).map(({ id }) => id));
  const names = await readdir(settings.directory);
  return purged.flatMap((set) => {
    const records = lines.filter((line) => line.set === set && line.done === "purged");
    const [record] = records;
    return [
      ...(records.length === 1 ? [] : [`${records.length} lines for ${set}`]),
      ...(record !== undefined && epochs.has(record.epoch) ? [`the key of ${set} exists`] : []),
      ...(names.some((name) => name.startsWith(set)) ? [`files of ${set} are left`] : []),
    ];
  });
}

/** A restore that is killed anywhere while it moves former data aside loses none of it. */
export async function asideDrill({ directory, seed, kills }: Part): Promise<Finding> {
  const faults: string[] = [];
  const random = seededRandom(seed);
  let done = 0;
  for (let at = 1; done < kills; at += 1) {
    const when = random() < 0.5 ? "before" : "after";
    const dataDir = join(directory, `aside-${at}`);
    for (const store of stores) {
      await mkdir(join(dataDir, store), { recursive: true });
      await writeFile(join(dataDir, store, "marker"), store);
    }
    await rememberedSecrets(dataDir);
    const set = await makeSet(await readBackupSettings({ DATA_DIR: dataDir }), Date.now());
    const first = await backup(dataDir, ["restore", set], { at, when });
    // Further than moving aside: the engines of this set, which holds nothing, do not start.
    if (!first.killed) break;
    done += 1;
    for (const kill of [2 * at, 2 * at + 5]) {
      await backup(dataDir, ["restore", set], { at: kill, when });
    }
    const lost = await lostMarkers(dataDir);
    if (lost.length > 0) faults.push(`${when} change ${at}: ${lost.join(", ")}`);
    await rm(dataDir, { recursive: true });
  }
  return {
    statement: "a restore that is killed anywhere, and repeated, never deletes former data",
    holds: faults.length === 0 && done > 0,
    figures: `${done} kills, ${faults.length} faults ${faults.slice(0, 5).join("; ")}`,
  };
}

/** Stores whose former data is neither in its place nor beside it. */
async function lostMarkers(dataDir: string): Promise<string[]> {
  const formers = (await readdir(dataDir)).filter((name) => name.startsWith("before-restore-"));
  const lost: string[] = [];
  for (const store of stores) {
    const places = ["", ...formers].map((place) => join(dataDir, place, store, "marker"));
    const found = await Promise.all(places.map((path) => readFile(path).catch(() => undefined)));
    if (found.filter((one) => one !== undefined).length !== 1) lost.push(store);
  }
  return lost;
}

/** All parts, against a real instance. */
export async function backupDrill(options: Part): Promise<Finding[]> {
  const found = [await purgeDrill(options), await asideDrill(options)];
  const dataDir = join(options.directory, "data");
  const platform = await startPlatform({
    dataDir,
    port: 0,
    logLevel: "warn",
    services: productServices.filter(({ name }) =>
      ["payments-sandbox", "accounts", "ledger", "collector", "insights", "studio"].includes(name),
    ),
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  try {
    found.push(await takeDrill(dataDir, options), await archiveDrill(dataDir, options));
  } finally {
    await platform.stop();
  }
  found.push(await restoreDrill(dataDir, options));
  return found;
}

async function takeDrill(dataDir: string, { seed, kills }: Part): Promise<Finding> {
  const settings = await readBackupSettings({ DATA_DIR: dataDir });
  const faults: string[] = [];
  const done = await killEverywhere(
    (kill) => backup(dataDir, ["take"], kill),
    async ({ at, when }) => {
      // Only the last change gives a set its name: from then on it is whole.
      const place = `${when} change ${at}`;
      for (const { set, openable } of await listSets(settings)) {
        if (!openable) faults.push(`${place}: ${set} does not open`);
      }
    },
    { kills, random: seededRandom(seed), steps: 12 },
  );
  const whole = await backup(dataDir, ["take"]);
  if (whole.code !== 0) faults.push(whole.errors);
  const left = (await readdir(settings.directory)).filter((name) => name.endsWith(".partial"));
  return {
    statement:
      "a backup that is killed anywhere leaves nothing that counts, and the next one is taken",
    holds: faults.length === 0 && left.length === 0 && done > 0,
    figures: `${done} kills, ${left.length} remains, ${faults.length} faults ${faults.slice(0, 5).join("; ")}`,
  };
}

async function archiveDrill(dataDir: string, { seed, kills }: Part): Promise<Finding> {
  const settings = await readBackupSettings({ DATA_DIR: dataDir });
  const random = seededRandom(seed);
  for (let kill = 0; kill < kills; kill += 1) {
    const child = spawn(process.execPath, [scheduled], {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        LOG_LEVEL: "fatal",
        BACKUP_WAL_EVERY_SECONDS: "0.1",
        BACKUP_FIRST_AFTER_SECONDS: "3600",
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await delay(1500 + random() * 1500);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const gaps = await gapsInArchive(settings);
  const histories = new Set((await listRanges(settings)).map(({ header }) => header?.history));
  return {
    statement: "an archive of the write-ahead log that is killed again and again has no gap",
    holds: gaps.length === 0 && histories.size === 1,
    figures: `${kills} kills, ${histories.size} histories, ${gaps.length} gaps ${gaps.join("; ")}`,
  };
}

async function restoreDrill(dataDir: string, { seed, kills }: Part): Promise<Finding> {
  const settings = await readBackupSettings({ DATA_DIR: dataDir });
  const set = (await setNames(settings.directory)).at(-1) ?? "";
  const random = seededRandom(seed);
  const faults: string[] = [];
  let done = 0;
  for (let kill = 0; kill < Math.min(kills, 8); kill += 1) {
    const at = 1 + Math.floor(random() ** 2 * 60);
    if ((await backup(dataDir, ["restore", set], { at, when: "after" })).killed) done += 1;
  }
  const whole = await backup(dataDir, ["restore", set]);
  if (whole.code !== 0) faults.push(whole.errors);
  const former = (await readdir(dataDir)).filter((name) => name.startsWith("before-restore-"));
  for (const name of former.slice(0, 1)) {
    const moved = await readdir(join(dataDir, name));
    if (stores.some((store) => !moved.includes(store))) faults.push(`${name} is not whole`);
  }
  return {
    statement: "a restore that is killed again and again is completed by repeating it",
    holds: faults.length === 0 && done > 0,
    figures: `${done} kills, ${former.length} directories of former data, ${faults.length} faults ${faults.join("; ")}`,
  };
}
