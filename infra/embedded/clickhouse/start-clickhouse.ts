import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { choosePort } from "../ports.ts";
import type { ProcessEvent } from "../process/process-spec.ts";
import { SupervisedProcess } from "../process/supervised-process.ts";
import { USER } from "./users.ts";

export type ClickhouseOptions = {
  /** Where the tables are. One process at a time. */
  dataDir: string;
  /** A free port of 127.0.0.1; chosen when left out. */
  port?: number;
  /** Of the user `default`; generated when left out. */
  password?: string;
  /** Whether everything else on the machine goes first, where cores are few. */
  givesWay?: boolean;
  /** Configuration of the engine (XML), as of a server; there are no users with it. */
  configFile?: string;
  /** Receives what the engine's process prints. */
  onLog?: (line: string) => void;
  onEvent?: (event: ProcessEvent) => void;
};

export type RunningClickhouse = {
  /** `http://default:<password>@127.0.0.1:<port>`, for `createClient({ url })`. */
  url: string;
  port: number;
  /** Of the engine's process; undefined while it is being replaced. */
  pid: () => number | undefined;
  /** How often the engine's process was replaced after a crash. */
  restarts: () => number;
  /** Lets running statements finish and ends the engine. */
  stop: () => Promise<void>;
};

/** Statements run on libuv's thread pool; the default of 4 would let a few slow ones stop everything. */
const THREADS = "16";
/** The engine would take these for wildcards, and then silently find none of the rows to insert. */
const WILDCARDS = /[*?{}[\]]/;

/**
 * Starts ClickHouse's engine in a process of its own behind ClickHouse's HTTP interface, on
 * 127.0.0.1 only. The process is replaced when it dies, and it ends when this one does.
 * @throws {StartFailure} with its last lines when the engine does not start
 */
export async function startClickhouse(options: ClickhouseOptions): Promise<RunningClickhouse> {
  const { password = randomBytes(24).toString("base64url") } = options;
  const dataDir = resolve(options.dataDir);
  if (WILDCARDS.test(dataDir)) {
    throw new Error(
      "The path of the ClickHouse data directory must not contain any of * ? { } [ ]",
    );
  }
  mkdirSync(dataDir, { recursive: true });
  const port = options.port ?? (await choosePort());
  const engine = new SupervisedProcess({
    name: "clickhouse",
    program: {
      script: fileURLToPath(new URL("child.ts", import.meta.url)),
      args: [
        dataDir,
        String(port),
        ...(options.givesWay === true ? ["--gives-way"] : []),
        ...(options.configFile === undefined ? [] : ["--config", options.configFile]),
      ],
    },
    environment: {
      ...process.env,
      UV_THREADPOOL_SIZE: THREADS,
      CLICKHOUSE_PASSWORD: password,
    },
    directory: dataDir,
    readyWithinMs: 60_000,
    stopSignal: "SIGTERM",
    stopWithinMs: 15_000,
    onLine: options.onLog ?? (() => undefined),
    onEvent: options.onEvent ?? (() => undefined),
  });
  await engine.start();
  return {
    url: `http://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    port,
    pid: () => engine.pid(),
    restarts: () => engine.restarts(),
    stop: () => engine.stop(),
  };
}
