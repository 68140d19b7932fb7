import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { GenericContainer, Wait } from "testcontainers";

import { startClickhouse } from "../../embedded/clickhouse/start-clickhouse.ts";
import { startPostgres } from "../../embedded/postgres/start-postgres.ts";

export type TestEngines = {
  postgresUrl: string;
  clickhouseUrl: string;
  stop: () => Promise<void>;
};

/** The images of docker-compose.yml, so that both are tested and run alike. */
export const POSTGRES_IMAGE = "postgres:18.4";
export const CLICKHOUSE_IMAGE = "clickhouse/clickhouse-server:26.7";

/** The engines of this machine, in processes of their own, with their data under `directory`. */
export async function startEmbeddedEngines(directory: string): Promise<TestEngines> {
  const postgres = await startPostgres({ dataDir: join(directory, "postgres") });
  try {
    const clickhouse = await startClickhouse({ dataDir: join(directory, "clickhouse") });
    return {
      postgresUrl: postgres.url,
      clickhouseUrl: clickhouse.url,
      stop: async () => {
        await Promise.all([postgres.stop(), clickhouse.stop()]);
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Real servers in containers; needs Docker. */
export async function startServers(): Promise<TestEngines> {
  const password = randomBytes(18).toString("hex");
  const [postgres, clickhouse] = await Promise.all([
    new GenericContainer(POSTGRES_IMAGE)
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forLogMessage("database system is ready to accept connections", 2))
      .start(),
    new GenericContainer(CLICKHOUSE_IMAGE)
      .withEnvironment({
        CLICKHOUSE_USER: "test",
        CLICKHOUSE_PASSWORD: password,
        CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT: "1",
      })
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp("/ping", 8123))
      .start(),
  ]);
  const address = (container: typeof postgres, port: number): string =>
    `${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    postgresUrl: `postgres://postgres:${password}@${address(postgres, 5432)}/postgres`,
    clickhouseUrl: `http://test:${password}@${address(clickhouse, 8123)}/`,
    stop: async () => {
      await Promise.all([postgres.stop(), clickhouse.stop()]);
    },
  };
}
