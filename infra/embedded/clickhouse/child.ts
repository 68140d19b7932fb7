import type { Server } from "node:http";
import { setPriority } from "node:os";

import { BodyFiles } from "./body-files.ts";
import { type StartMessage, readCommand } from "./child-protocol.ts";
import type { Engine } from "./engine.ts";
import type { QueryServices } from "./handle-query.ts";
import { createHttpServer, listen } from "./http-server.ts";
import { enterRunDir, openEngine } from "./open-engine.ts";
import { QuerySlots } from "./query-slots.ts";
import { repairDeduplication } from "./repair-deduplication.ts";
import { ResultPipes } from "./result-pipes.ts";
import { Sessions } from "./sessions.ts";

/** The engine's process. It lives as long as the IPC channel to the process that started it. */

/** Of the 16 threads of libuv's pool; the rest serves compression, files and cancellations. */
const MAX_RUNNING = 12;
const MAX_WAITING = 1000;
/** How long running statements may go on after an orderly stop was asked for. */
const STOP_WAIT_MS = 10_000;
/** How long an orderly end may take once nobody is left to wait for it. */
const ORPHAN_WAIT_MS = 500;
const CLOSE_WAIT_MS = 3000;
const CLOSE_IDLE_MS = 10;

/**
 * Lets the processes that answer visitors go first where cores are few: what ClickHouse stores, and
 * what analysts ask, can wait for some milliseconds more. Threads made later take it over.
 */
const NICENESS = 10;
setPriority(NICENESS);

type Running = { server: Server; engine: Engine; slots: QuerySlots; sessions: Sessions };

let running: Running | undefined;
let ending = false;

/** The engine's own exit may hang in a running query; a kill is safe at any moment. */
function killAfter(milliseconds: number): void {
  setTimeout(() => process.kill(process.pid, "SIGKILL"), milliseconds);
}

/** Takes no new requests; resolves when the last answer has gone out. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection that is kept alive becomes idle only after its answer.
  const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed;
  clearInterval(closeIdle);
}

async function end(waitMs: number): Promise<void> {
  if (ending) return;
  ending = true;
  killAfter(waitMs + CLOSE_WAIT_MS);
  if (running !== undefined) {
    const { server, engine, slots, sessions } = running;
    const timeUp = setTimeout(() => process.kill(process.pid, "SIGKILL"), waitMs);
    await closeServer(server);
    // Statements whose clients have gone may still be on their way out of the engine.
    await slots.idle();
    clearTimeout(timeUp);
    sessions.close();
    engine.close();
  }
  process.exit(0);
}

async function timezoneOf(engine: Engine): Promise<string> {
  const { bytes } = await engine.root.query("SELECT timezone()", "TSVRaw");
  return Buffer.from(bytes).toString("utf8").trim();
}

async function start({ dataDir, port, password }: StartMessage): Promise<number> {
  const engine = await openEngine(dataDir);
  enterRunDir(dataDir);
  for (const line of await repairDeduplication(engine.root)) {
    process.stdout.write(`Repaired insert deduplication of ${line}\n`);
  }
  const slots = new QuerySlots(MAX_RUNNING, MAX_WAITING);
  const services: QueryServices = {
    engine,
    password,
    timezone: await timezoneOf(engine),
    slots,
    pipes: new ResultPipes(MAX_RUNNING),
    sessions: new Sessions(engine),
    files: new BodyFiles(),
  };
  const server = createHttpServer(services);
  const listening = await listen(server, port);
  running = { server, engine, slots, sessions: services.sessions };
  return listening;
}

async function startAndReport(message: StartMessage): Promise<void> {
  try {
    process.send?.({ kind: "ready", port: await start(message) });
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    process.send?.({ kind: "failed", message: told }, () => process.exit(1));
  }
}

process.once("disconnect", () => void end(ORPHAN_WAIT_MS));
process.on("SIGTERM", () => void end(STOP_WAIT_MS));
// Ctrl-C reaches the whole group; the supervisor decides what it means.
process.on("SIGINT", () => undefined);

const first = await new Promise<unknown>((resolve) => process.once("message", resolve));
process.on("message", (value) => {
  if (readCommand(value).kind === "stop") void end(STOP_WAIT_MS);
});
const command = readCommand(first);
if (command.kind === "start") await startAndReport(command);
else await end(0);
