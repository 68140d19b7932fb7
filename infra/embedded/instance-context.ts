import { join } from "node:path";

import { occupyDataDir, refuseSealed } from "./data-dir.ts";
import { type LogFiles, openLogFiles } from "./log-files.ts";
import { chosenPorts, choosePorts, giveBackPorts } from "./ports.ts";
import { endLeftovers, readRuntime, removeRuntime } from "./runtime-file.ts";
import { rememberedSecrets, type Secrets } from "./secrets.ts";

/** From which the addresses and settings of an instance's parts follow. */
export type InstanceSettings = {
  dataDir: string;
  secrets: Secrets;
  /** The loopback port of an engine or a service. */
  port: (name: string) => number;
  /** Whether it is a part of this instance. */
  hasPort: (name: string) => boolean;
};

/** What all parts of one instance share: its directory, secrets, ports and logs. */
export type InstanceContext = InstanceSettings & {
  logs: LogFiles;
  /** Leaves the directory to the next instance. */
  close: () => Promise<void>;
};

/**
 * Takes the data directory for this process and ends what a killed instance left on it.
 * @throws {DataDirUnusable} when another instance runs on it, it is another user's, or its restore from a
 * backup is not complete
 */
export async function openInstance(options: {
  dataDir: string;
  origin: string;
  serviceNames: readonly string[];
}): Promise<InstanceContext> {
  const { dataDir, lock } = await occupyDataDir(options.dataDir, options.origin);
  try {
    await refuseSealed(dataDir);
    // Before the ports are chosen: they are to be the same ones again.
    const before = await readRuntime(dataDir);
    await endLeftovers(before?.processes ?? []);
    const [secrets, ports, logs] = await Promise.all([
      rememberedSecrets(dataDir),
      choosePorts(dataDir, ["postgres", "clickhouse", "smtp", ...options.serviceNames]),
      openLogFiles(join(dataDir, "logs"), ["postgres", "clickhouse", "services"]),
    ]);
    return {
      dataDir,
      secrets,
      logs,
      ...portsIn(ports),
      close: async () => {
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

/** The settings of an instance that runs on a data directory, for a command beside it. */
export async function readInstanceSettings(dataDir: string): Promise<InstanceSettings> {
  const [secrets, ports] = await Promise.all([rememberedSecrets(dataDir), chosenPorts(dataDir)]);
  return { dataDir, secrets, ...portsIn(ports) };
}

function portsIn(
  ports: Readonly<Record<string, number>>,
): Pick<InstanceSettings, "port" | "hasPort"> {
  return {
    port: (name) => {
      const port = ports[name];
      if (port === undefined) throw new Error(`No port was chosen for ${name}`);
      return port;
    },
    hasPort: (name) => ports[name] !== undefined,
  };
}
