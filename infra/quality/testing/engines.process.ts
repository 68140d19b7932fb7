import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";

import { containerRun, service } from "../../docker/compose-file.ts";
import { startClickhouse } from "../../embedded/clickhouse/start-clickhouse.ts";
import { startPostgres } from "../../embedded/postgres/start-postgres.ts";

/**
 * Owns the engines of one test run, outside vitest's module runner. It reports their addresses to
 * its parent, and stops them when the parent disconnects or dies: a killed run leaves nothing behind.
 */
type Engines = {
  postgresUrl: string;
  clickhouseUrl: string;
  redisUrl?: string;
  stop: () => Promise<unknown>;
};

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

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Real servers in containers: images, commands and settings of docker-compose.yml; needs Docker. */
async function startServers(): Promise<Engines> {
  const password = randomBytes(18).toString("hex");
  const variables = { POSTGRES_PASSWORD: password };
  const containerOf = (name: string): GenericContainer => {
    const { command } = containerRun(name, variables);
    return new GenericContainer(service(name).image).withCommand([...command]);
  };
  const [postgres, clickhouse, redis] = await Promise.all([
    containerOf("postgres")
      .withEnvironment(containerRun("postgres", variables).environment)
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forLogMessage("database system is ready to accept connections", 2))
      .start(),
    containerOf("clickhouse")
      .withEnvironment({
        CLICKHOUSE_USER: "test",
        CLICKHOUSE_PASSWORD: password,
        CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT: "1",
      })
      .withCopyFilesToContainer([
        {
          source: fromHere("../../clickhouse/server.xml"),
          target: "/etc/clickhouse-server/config.d/server.xml",
        },
      ])
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp("/ping", 8123))
      .start(),
    new GenericContainer(service("redis").image)
      // A database for each suite.
      .withCommand([...containerRun("redis", variables).command, "--databases", "1024"])
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage("Ready to accept connections"))
      .start(),
  ]);
  const address = (container: StartedTestContainer, port: number): string =>
    `${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    postgresUrl: `postgres://postgres:${password}@${address(postgres, 5432)}/postgres`,
    clickhouseUrl: `http://test:${password}@${address(clickhouse, 8123)}/`,
    redisUrl: `redis://${address(redis, 6379)}`,
    stop: () => Promise.all([postgres.stop(), clickhouse.stop(), redis.stop()]),
  };
}

// Ctrl-C reaches the whole group; the tests end first, then they let go of this process.
process.on("SIGINT", () => undefined);
const kind = process.argv[2];
if (kind !== "embedded" && kind !== "servers")
  throw new Error(`TEST_ENGINES is "${kind}"; it must be "embedded" or "servers".`);
const start = kind === "servers" ? startServers : startEmbedded;
const { stop, ...addresses } = await start();
const end = (): void => void stop().then(() => process.exit(0));
process.once("disconnect", end);
if (process.connected) process.send?.({ kind, ...addresses });
else end();
