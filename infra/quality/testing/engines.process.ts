import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";

import { startClickhouse } from "../../embedded/clickhouse/start-clickhouse.ts";
import { startPostgres } from "../../embedded/postgres/start-postgres.ts";

/**
 * Owns the engines of one test run, outside vitest's module runner. It reports their addresses to
 * its parent, and stops them when the parent disconnects or dies: a killed run leaves nothing behind.
 */
type Engines = { postgresUrl: string; clickhouseUrl: string; stop: () => Promise<unknown> };

/** The engines of this machine, in processes of their own. */
async function startEmbedded(): Promise<Engines> {
  const directory = await mkdtemp(join(tmpdir(), "pro-talent-test-"));
  // Postgres refuses to run as root and then runs as another user, who must be able to enter.
  await chmod(directory, 0o711);
  const started: { stop: () => Promise<unknown> }[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((engine) => engine.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const postgres = await startPostgres({ dataDir: join(directory, "postgres") });
    started.push(postgres);
    const clickhouse = await startClickhouse({ dataDir: join(directory, "clickhouse") });
    started.push(clickhouse);
    return { postgresUrl: postgres.url, clickhouseUrl: clickhouse.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Real servers in containers, from the images of docker-compose.yml; needs Docker. */
async function startServers(): Promise<Engines> {
  const password = randomBytes(18).toString("hex");
  const [postgres, clickhouse] = await Promise.all([
    new GenericContainer("postgres:18.4")
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forLogMessage("database system is ready to accept connections", 2))
      .start(),
    new GenericContainer("clickhouse/clickhouse-server:26.7")
      .withEnvironment({
        CLICKHOUSE_USER: "test",
        CLICKHOUSE_PASSWORD: password,
        CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT: "1",
      })
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp("/ping", 8123))
      .start(),
  ]);
  const address = (container: StartedTestContainer, port: number): string =>
    `${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    postgresUrl: `postgres://postgres:${password}@${address(postgres, 5432)}/postgres`,
    clickhouseUrl: `http://test:${password}@${address(clickhouse, 8123)}/`,
    stop: () => Promise.all([postgres.stop(), clickhouse.stop()]),
  };
}

// Ctrl-C reaches the whole group; the tests end first, then they let go of this process.
process.on("SIGINT", () => undefined);
const kind = process.argv[2];
if (kind !== "embedded" && kind !== "servers")
  throw new Error(`TEST_ENGINES is "${kind}"; it must be "embedded" or "servers".`);
const start = kind === "servers" ? startServers : startEmbedded;
const { postgresUrl, clickhouseUrl, stop } = await start();
const end = (): void => void stop().then(() => process.exit(0));
process.once("disconnect", end);
if (process.connected) process.send?.({ kind, postgresUrl, clickhouseUrl });
else end();
