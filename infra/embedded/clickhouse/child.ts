import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { giveWay } from "../process/give-way.ts";
import { Engine } from "./engine.ts";
import { createHttpServer, listen } from "./http-server.ts";
import { QuerySlots } from "./query-slots.ts";
import { repairDeduplication } from "./repair-deduplication.ts";
import { ResultPipes } from "./result-pipes.ts";
import { Sessions } from "./sessions.ts";
import { Users } from "./users.ts";

/**
 * The engine's process: `child.ts <data directory> <port> [--gives-way] [--config <file>]`, with the password in
 * the variable `CLICKHOUSE_PASSWORD`. It ends when the IPC channel to the process that started it closes.
 */

/** Of the 16 threads of libuv's pool; the rest serves compression, files and cancellations. */
const MAX_RUNNING = 12;
const MAX_WAITING = 1000;
/** How long running statements may go on after an orderly stop was requested. */
const STOP_WAIT_MS = 10_000;
/** How long an orderly end may take once the supervising process is gone. */
const ORPHAN_WAIT_MS = 500;
const CLOSE_IDLE_MS = 10;

/**
 * Gives precedence to the processes that answer visitors where cores are few: what ClickHouse
 * stores, and what analysts ask, can wait for some milliseconds more. Later threads inherit it.
 */
const NICENESS = 10;

type Running = { server: Server; engine: Engine; slots: QuerySlots; sessions: Sessions };

let running: Running | undefined;
let ending = false;

/** Safe at any moment, while the engine's own exit may hang in a running query, and this thread with it. */
function kill(): void {
  process.kill(process.pid, "SIGKILL");
}

/** Takes no new requests; resolves when the last answer has gone out. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection that is kept alive becomes idle only after its answer.
  const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed;
  clearInterval(closeIdle);
}

/** Lets running statements end for the given time. Without a supervisor nothing would end a process whose exit hangs. */
async function end(waitMs: number, isSupervised: boolean): Promise<void> {
  if (ending) return;
  ending = true;
  if (running === undefined) return kill();
  const timeUp = setTimeout(kill, waitMs);
  const { server, engine, slots, sessions } = running;
  await closeServer(server);
  // Statements whose clients have gone may still be on their way out of the engine.
  await slots.idle();
  clearTimeout(timeUp);
  if (!isSupervised) return kill();
  sessions.endAll();
  engine.close();
  process.exit(0);
}

/**
 * Makes a folder for request bodies and result pipes and works in it from now on. Folders of earlier
 * processes are removed: the engine's lock, which is held, proves that none of them is alive.
 */
function enterRunDir(dataDir: string): void {
  const runs = join(dataDir, "run");
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(runs)) rmSync(join(runs, name), { recursive: true, force: true });
  process.chdir(mkdtempSync(join(runs, "r")));
}

async function timezoneOf(engine: Engine): Promise<string> {
  const { bytes } = await engine.root.query("SELECT timezone()", "TSVRaw");
  return Buffer.from(bytes).toString("utf8").trim();
}

type Start = { dataDir: string; port: number; password: string; configFile: string | undefined };

async function start({ dataDir, port, password, configFile }: Start): Promise<void> {
  const users = new Users(dataDir);
  const options =
    configFile === undefined ? users.engineOptions() : [`--config-file=${configFile}`];
  const engine = await Engine.open(join(dataDir, "engine"), options);
  enterRunDir(dataDir);
  for (const line of await repairDeduplication(engine.root)) {
    process.stdout.write(`Repaired insert deduplication of ${line}\n`);
  }
  const slots = new QuerySlots(MAX_RUNNING, MAX_WAITING);
  const sessions = new Sessions();
  const server = createHttpServer({
    engine,
    password,
    users,
    sessions,
    timezone: await timezoneOf(engine),
    slots,
    pipes: new ResultPipes(MAX_RUNNING),
  });
  await listen(server, port);
  running = { server, engine, slots, sessions };
}

process.once("disconnect", () => void end(ORPHAN_WAIT_MS, false));
process.on("SIGTERM", () => void end(STOP_WAIT_MS, true));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "gives-way": { type: "boolean", default: false }, config: { type: "string" } },
});
const [dataDir = "", port] = positionals;
const password = process.env["CLICKHOUSE_PASSWORD"] ?? "";
if (values["gives-way"]) giveWay(process.pid, NICENESS);
await start({ dataDir, port: Number(port), password, configFile: values.config });
if (process.connected) process.send?.("ready");
else await end(ORPHAN_WAIT_MS, false);
