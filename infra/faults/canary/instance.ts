import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { unseal } from "@pro-talent/platform/crypto/seal";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { type Clock, readClock } from "@pro-talent/platform/runtime/clock";
import { testClockFile } from "@pro-talent/platform/runtime/operator";
import { z } from "zod";

import { rememberedSecrets, type Secrets } from "../../embedded/secrets.ts";
import { productServices } from "../../embedded/services/product-services.ts";
import { startPlatform } from "../../embedded/start-platform.ts";
import { createTerminal } from "../../embedded/terminal.ts";
import { moveClock } from "../../embedded/test-clock.ts";
import { DATABASE } from "../../postgres/roles.ts";
import { FrontDoor } from "./front-door.ts";

const dayMs = 24 * 60 * 60_000;

/** The whole product on a data directory, with plans and registration open. */
export type Instance = {
  readonly dataDir: string;
  readonly door: FrontDoor;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** As the superuser. */
  readonly sql: Sql;
  readonly clickhouse: ClickHouseClient;
  readonly moveDays: (days: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const settings = {
  REGISTRATION: "open",
  BILLING: "open",
  TIMERS_SWEEP_MS: "300",
  OUTBOX_FIRST_WAIT_MS: "1500",
  // What is waited for is asked for again and again.
  READS_PER_MINUTE: "100000",
};

/** @throws with the last lines of what does not start */
export async function startInstance(dataDir: string): Promise<Instance> {
  const services = productServices.map((service) => ({
    ...service,
    environment: (...given: Parameters<typeof service.environment>) => ({
      ...service.environment(...given),
      ...settings,
    }),
  }));
  const platform = await startPlatform({
    dataDir,
    port: 0,
    logLevel: "info",
    services,
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  const { origin, mail, postgres, clickhouse } = platform.runtime;
  if (!mail || !postgres || !clickhouse) throw new Error("A part does not run");
  const open = (url: string): Sql =>
    openPool(url, { max: 2, applicationName: "drill", statementSecondsMax: 300 });
  const sql = open(postgres.superuserUrl.replace(/\/postgres$/u, `/${DATABASE}`));
  const owner = open(postgres.ownerUrl);
  const client = connectClickhouse(clickhouse.url, { application: "drill" });
  const file = join(platform.dataDir, testClockFile);
  return {
    dataDir: platform.dataDir,
    door: new FrontDoor(origin, mail.webUrl),
    secrets: await rememberedSecrets(platform.dataDir),
    clock: readClock({ TEST_CLOCK_FILE: file }),
    sql,
    clickhouse: client,
    moveDays: (days) =>
      moveClock({ owner, file, byMs: days * dayMs, report: () => undefined, patienceMs: 120_000 }),
    stop: async () => {
      await client.close();
      await Promise.all([sql.end(), owner.end()]);
      await platform.stop();
    },
  };
}

const StoredFile = z.object({ sealed: z.string() });
const StoredEpochs = z.array(z.object({ key: z.string() }));

/** Every key that opens keys of people: of the epochs of all key stores, and what opens these. */
export async function allKeys(dataDir: string): Promise<Buffer[]> {
  const secrets = await rememberedSecrets(dataDir);
  const stores = [
    ["ledger-keys.json", "ledger key store", secrets.ledgerWrappingKey],
    ["accounts-keys.json", "accounts key store", secrets.accountsKey],
    ["studio-keys.json", "studio key store", secrets.studioKey],
  ] as const;
  const keys = await Promise.all(
    stores.map(async ([name, boundTo, wrappingKey]) => {
      const file = await readFile(join(dataDir, name), "utf8");
      const { sealed } = StoredFile.parse(JSON.parse(file));
      const key = Buffer.from(wrappingKey, "hex");
      const plain = unseal(key, Buffer.from(sealed, "base64"), boundTo);
      const epochs = StoredEpochs.parse(JSON.parse(plain.toString("utf8")));
      return [key, ...epochs.map((epoch) => Buffer.from(epoch.key, "hex"))];
    }),
  );
  return [...keys.flat(), Buffer.from(secrets.ledgerLookupKey, "hex")];
}

/** The ids of all keys of people that there are. */
export async function keyIds(sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select subject_id::text as id from ledger.subject union select key_id::text from accounts.data_key
    union select key_id::text from studio.data_key`;
  return new Set(rows.map(({ id }) => id));
}
