import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { enginesKind } from "./engines-kind.ts";
import { startEmbeddedEngines, startServers } from "./test-engines.ts";

/**
 * Owns the engines of one test run, outside vitest's module runner. It tells its parent where they
 * are, and stops them when the parent says so or is gone: a killed run leaves nothing behind.
 */
const kind = enginesKind(process.argv[2]);
const directory = await mkdtemp(join(tmpdir(), "pro-talent-test-"));
// Postgres refuses to run as root and then runs as another user, who must be able to enter.
await chmod(directory, 0o711);
const clear = (): Promise<void> => rm(directory, { recursive: true, force: true });

async function start(): ReturnType<typeof startServers> {
  try {
    return kind === "servers" ? await startServers() : await startEmbeddedEngines(directory);
  } catch (error) {
    await clear();
    throw error;
  }
}

// Ctrl-C reaches the whole group; the tests end first, then they let go of this process.
process.on("SIGINT", () => undefined);
const engines = await start();

async function stop(): Promise<void> {
  await engines.stop();
  await clear();
  process.exit(0);
}

process.once("disconnect", () => void stop());
if (process.connected) {
  process.send?.({ postgresUrl: engines.postgresUrl, clickhouseUrl: engines.clickhouseUrl });
} else await stop();
