import { randomBytes } from "node:crypto";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { takeLock } from "@pro-talent/platform/runtime/file-lock";

import { choosePort } from "../ports.ts";
import type { ProcessEvent } from "../process/process-spec.ts";
import { SupervisedProcess } from "../process/supervised-process.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster, plainEnvironment } from "./cluster.ts";
import { placeCluster } from "./placement.ts";
import { endLeftoverPostmaster, isPostmasterReady } from "./postmaster.ts";

export type PostgresOptions = {
  /** Holds everything; made when missing. A directory in it is owned by the user Postgres runs as. */
  dataDir: string;
  /** Loopback port; a free one when absent. */
  port?: number | undefined;
  /** Of the superuser. Must not change afterwards. Generated and kept in `dataDir` when absent. */
  password?: string | undefined;
  onLog?: ((line: string) => void) | undefined;
  onEvent?: ((event: ProcessEvent) => void) | undefined;
};

export type RunningPostgres = {
  /** For the superuser: `postgres://postgres:<password>@127.0.0.1:<port>/postgres`. */
  url: string;
  port: number;
  pid: () => number | undefined;
  restarts: () => number;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop: () => Promise<void>;
};

/**
 * Starts PostgreSQL 18 on loopback, as root too (see `placement.ts`). What an earlier owner left
 * running or half-dead after `kill -9` is ended first. A postmaster that dies is started again;
 * one whose owner dies is stopped.
 * @throws {LockHeld} when a living process already runs this data directory
 * @throws {StartFailure} with the last lines of Postgres when it does not come up
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o711 });
  const dataDir = await realpath(options.dataDir);
  const lock = takeLock(join(dataDir, "lock"));
  try {
    const server = await launch(dataDir, options);
    return {
      ...server,
      stop: async () => {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function launch(dataDir: string, options: PostgresOptions): Promise<RunningPostgres> {
  const password = options.password ?? (await rememberedPassword(dataDir));
  const placement = await placeCluster(dataDir, await findBinaries());
  const cluster = await ensureCluster(placement, password);
  const port = options.port ?? (await choosePort());
  const server = new SupervisedProcess({
    name: "postgres",
    program: {
      command: placement.binaries.postgres,
      args: ["-D", cluster, ...settings(port)],
      isReady: (pid) => isPostmasterReady(cluster, pid),
    },
    environment: plainEnvironment(),
    directory: cluster,
    identity: placement.identity,
    readyWithinMs: 30_000,
    // Where the remains of a killed cluster cannot be seen (not on Linux), it takes them a moment.
    firstStartAttempts: 5,
    stopSignal: "SIGINT",
    stopWithinMs: 10_000,
    beforeLaunch: () => endLeftoverPostmaster(cluster),
    onLine: options.onLog ?? (() => undefined),
    onEvent: options.onEvent ?? (() => undefined),
  });
  await server.start();
  return {
    url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    port,
    pid: () => server.pid(),
    restarts: () => server.restarts(),
    stop: () => server.stop(),
  };
}

/** Given on the command line, so that a cluster from an earlier version gets today's settings. */
function settings(port: number): string[] {
  const values: Record<string, string | number> = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 300,
    shared_buffers: "128MB",
    fsync: "on",
    synchronous_commit: "on",
    password_encryption: "scram-sha-256",
    timezone: "UTC",
    log_timezone: "UTC",
    jit: "off",
    // What an archive that stays away makes the server keep never fills the disk.
    max_slot_wal_keep_size: "2GB",
    log_destination: "stderr",
    log_min_messages: "warning",
    // A statement, or the detail of an error, may hold personal data; neither is ever logged.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_statement: "none",
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function rememberedPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, "superuser-password");
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return known.trim();
  const password = randomBytes(24).toString("hex");
  await writeFile(file, password, { mode: 0o600 });
  return password;
}
