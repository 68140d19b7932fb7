import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";

import { USER } from "./authentication.ts";
import { Supervisor } from "./supervisor.ts";

export type EmbeddedClickhouseOptions = {
  /** Where the tables live. One process at a time. */
  dataDir: string;
  /** A free port of 127.0.0.1; chosen by the system when left out, and kept over restarts. */
  port?: number;
  /** Of the user `default`; generated when left out. */
  password?: string;
  /** Receives what the engine's process prints and what becomes of it. */
  onLog?: (line: string) => void;
};

export type EmbeddedClickhouse = {
  /** `http://default:<password>@127.0.0.1:<port>`, for `createClient({ url })`. */
  url: string;
  port: number;
  /** Of the engine's process; undefined while it is being replaced. */
  pid(): number | undefined;
  /** How often the engine's process was replaced after a crash. */
  restarts(): number;
  /** Lets running statements finish and ends the engine. */
  stop(): Promise<void>;
};

/** The engine would take these for wildcards, and then silently find none of the rows to insert. */
const WILDCARDS = /[*?{}[\]]/;

/**
 * Starts ClickHouse's engine in a process of its own behind ClickHouse's HTTP interface, on
 * 127.0.0.1 only. The process is replaced when it dies, and it ends when this one does.
 * @throws when the data directory can't be used or the engine does not start
 */
export async function startClickhouse(
  options: EmbeddedClickhouseOptions,
): Promise<EmbeddedClickhouse> {
  const {
    port = 0,
    password = randomBytes(24).toString("base64url"),
    onLog = () => undefined,
  } = options;
  const dataDir = resolve(options.dataDir);
  if (WILDCARDS.test(dataDir)) {
    throw new Error(
      "The path of the ClickHouse data directory must not contain any of * ? { } [ ]",
    );
  }
  mkdirSync(dataDir, { recursive: true });
  const supervisor = new Supervisor({ dataDir, password, onLog }, port);
  await supervisor.start();
  return {
    url: `http://${USER}:${encodeURIComponent(password)}@127.0.0.1:${supervisor.port}`,
    port: supervisor.port,
    pid: () => supervisor.pid,
    restarts: () => supervisor.restarts,
    stop: () => supervisor.stop(),
  };
}
