import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { until } from "@pro-talent/platform/testing/until";

import { signalProcess } from "../embedded/process/end-process.ts";
import { isRunning } from "../embedded/process/process-identity.ts";
import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { seededRandom } from "./record-load.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const MARK = "STARTS_DRILL";
/** Workers have the lowest priority, and hardly any processor while others are busy. */
const READY_WITHIN_MS = 300_000;
/** Kills at up to this long after the start, and after everything runs: the demo is being made then. */
const STARTING_MS = 6000;
const RUNNING_MS = 8000;
/** What a process may need to end in good order once the starter is gone. */
const ENDED_WITHIN_MS = 60_000;
/** Each look reads what the system knows of every process. */
const LOOK_EVERY_MS = 300;
/** Every so many kills the instance is new: the cluster is made, the demo too. */
const KILLS_PER_DIRECTORY = 3;

type Start = { child: ChildProcess; output: () => string; processes: () => Promise<string[]> };

/**
 * Kills the process of `npm start` alone (`kill -9`) at random moments of the start and afterwards, and
 * looks for what it had started: engines, services, workers, the demo. Known on Linux only; elsewhere no
 * process is found.
 */
export async function startsDrill(options: DrillOptions & { kills: number }): Promise<Finding[]> {
  const { directory, seed, kills, report } = options;
  const random = seededRandom(seed);
  const surviving: string[] = [];
  let found = 0;
  let slowestMs = 0;
  for (let n = 0; n < kills; n += 1) {
    const dataDir = join(directory, `data-${Math.floor(n / KILLS_PER_DIRECTORY)}`);
    const isStarting = n % 2 === 1;
    const start = startProduct(dataDir, `${seed}-${n}`);
    if (!isStarting) await untilRunning(start);
    await delay(random() * (isStarting ? STARTING_MS : RUNNING_MS));
    found += (await start.processes()).length;
    await kill(start);
    const from = performance.now();
    const rest = await restAfter(start);
    slowestMs = Math.max(slowestMs, performance.now() - from);
    for (const line of rest) report(`kill ${n + 1} left ${line}`);
    surviving.push(...rest);
  }
  return [
    {
      statement: "after kill -9 of npm start no process of it stays",
      holds: surviving.length === 0,
      figures: `${kills} kills with ${found} processes running, ${surviving.length} stayed${surviving.map((line) => ` (${line})`).join("")}, the last was gone after ${(slowestMs / 1000).toFixed(1)} s`,
    },
  ];
}

function startProduct(dataDir: string, mark: string): Start {
  const child = spawn(process.execPath, ["infra/embedded/start.ts"], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", [MARK]: mark },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  }
  return {
    child,
    output: () => text,
    processes: () => processesOf(`${MARK}=${mark}\0`, dataDir),
  };
}

async function untilRunning({ child, output }: Start): Promise<void> {
  const runs = () => {
    if (child.exitCode !== null) throw new Error(output());
    return output().includes("Ctrl-C stops everything");
  };
  await until("everything runs", runs, READY_WITHIN_MS);
}

/** @throws when it has ended by itself */
async function kill({ child, output }: Start): Promise<void> {
  if (child.exitCode !== null) throw new Error(output());
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** What still runs when the time is up; it is ended. */
async function restAfter({ processes }: Start): Promise<string[]> {
  const end = performance.now() + ENDED_WITHIN_MS;
  for (;;) {
    const rest = await processes();
    if (rest.length === 0) return [];
    if (performance.now() > end) {
      for (const line of rest) signalProcess(Number.parseInt(line, 10), "SIGKILL");
      return rest;
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** Numbers and command lines of what inherited the mark, or works in the directory. */
async function processesOf(mark: string, directory: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const numbers = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = (name: string) => readFile(`/proc/${name}`, "utf8").catch(() => "");
  const lines = await Promise.all(
    numbers.map(async (number) => {
      const place = await readlink(`/proc/${number}/cwd`).catch(() => "");
      const command = await read(`${number}/cmdline`);
      const isOurs = place.startsWith(directory) || command.includes(directory);
      if (!isOurs && !(await read(`${number}/environ`)).includes(mark)) return [];
      const runs = await isRunning(Number(number));
      return runs ? [`${number} ${command.replaceAll("\0", " ").trim()}`] : [];
    }),
  );
  return lines.flat();
}
