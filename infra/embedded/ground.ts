import { join } from "node:path";

import { occupyDataDir } from "./data-dir.ts";
import { endLeftovers } from "./leftovers.ts";
import { LogFiles } from "./log-files.ts";
import { giveBackPorts } from "./ports.ts";
import { choosePorts } from "./remembered-ports.ts";
import { readRuntime, removeRuntime } from "./runtime-file.ts";
import { rememberedSecrets, type Secrets } from "./secrets.ts";

const ENGINE_PORTS = ["postgres", "clickhouse", "smtp", "mail"];
const ENGINE_LOGS = ["postgres", "clickhouse", "mail"];

/** What everything of one instance stands on: its directory, secrets, ports and logs. */
export type Ground = {
  dataDir: string;
  secrets: Secrets;
  logs: LogFiles;
  /** The loopback port of an engine or a service. */
  port: (name: string) => number;
  /** Leaves the directory to the next instance. */
  leave: () => Promise<void>;
};

/**
 * Takes the data directory for this process and ends what a killed instance left on it.
 * @throws {DataDirUnusable} when another instance runs on it, or it is another user's
 */
export async function layGround(options: {
  dataDir: string;
  origin: string;
  serviceNames: readonly string[];
}): Promise<Ground> {
  const { dataDir, lock } = await occupyDataDir(options.dataDir, options.origin);
  try {
    // Before the ports are chosen: they are to be the same ones again.
    const before = await readRuntime(dataDir);
    await endLeftovers(before?.processes ?? []);
    const [secrets, ports, logs] = await Promise.all([
      rememberedSecrets(dataDir),
      choosePorts(dataDir, [...ENGINE_PORTS, ...options.serviceNames]),
      LogFiles.open(join(dataDir, "logs"), [...ENGINE_LOGS, ...options.serviceNames]),
    ]);
    return {
      dataDir,
      secrets,
      logs,
      port: (name) => {
        const port = ports[name];
        if (port === undefined) throw new Error(`No port was chosen for ${name}`);
        return port;
      },
      leave: async () => {
        await removeRuntime(dataDir);
        await logs.close();
        giveBackPorts(Object.values(ports));
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
