import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { choosePort } from "../embedded/ports.ts";
import { provisionPostgres } from "../postgres/provision.ts";
import { DATABASE, OWNER_ROLE } from "../postgres/roles.ts";
import { runOnce, ServiceUnderDrill } from "./service-under-drill.ts";

/** The file of a service's program. */
export function serviceFile(path: string): string {
  return fileURLToPath(new URL(`../../services/${path}`, import.meta.url));
}

/** Addresses of the product's database, one for each role. */
export type DatabaseUrls = { owner: string; ledger: string; collector: string; jobs: string };

export async function provisionDatabase(adminUrl: string): Promise<DatabaseUrls> {
  const secret = (): string => randomBytes(24).toString("hex");
  const passwords = { owner: secret(), ledger: secret(), collector: secret(), jobs: secret() };
  await provisionPostgres({
    adminUrl,
    ownerPassword: passwords.owner,
    servicePasswords: {
      ledger_app: passwords.ledger,
      collector_app: passwords.collector,
      jobs_app: passwords.jobs,
    },
  });
  const as = (role: string, password: string): string => {
    const url = new URL(adminUrl);
    url.username = role;
    url.password = password;
    url.pathname = `/${DATABASE}`;
    return url.toString();
  };
  return {
    owner: as(OWNER_ROLE, passwords.owner),
    ledger: as("ledger_app", passwords.ledger),
    collector: as("collector_app", passwords.collector),
    jobs: as("jobs_app", passwords.jobs),
  };
}

type Ground = {
  directory: string;
  logs: string;
  urls: DatabaseUrls;
  clickhouseUrl: string;
  collectors: number;
};

/** Migrates both stores, then starts the ledger and as many collectors as asked for. */
export async function startServices(
  ground: Ground,
): Promise<{ ledger: ServiceUnderDrill; collectors: ServiceUnderDrill[] }> {
  const { urls, logs } = ground;
  const clickhouse = { CLICKHOUSE_URL: ground.clickhouseUrl, CLICKHOUSE_DATABASE: DATABASE };
  const owner = { DATABASE_OWNER_URL: urls.owner };
  await runOnce(serviceFile("ledger/migrate.ts"), owner);
  await runOnce(serviceFile("collector/migrate.ts"), { ...owner, ...clickhouse });
  const token = randomBytes(32).toString("hex");
  const ledger = new ServiceUnderDrill({
    name: "ledger",
    file: serviceFile("ledger/main.ts"),
    port: await choosePort(),
    environment: {
      DATABASE_URL: urls.ledger,
      INTERNAL_TOKEN: token,
      LEDGER_WRAPPING_KEY: randomBytes(32).toString("hex"),
      LEDGER_LOOKUP_KEY: randomBytes(32).toString("hex"),
      PUBLIC_ORIGIN: "http://localhost:3000",
    },
    logFile: join(logs, "ledger.log"),
  });
  await ledger.start();
  const shared = {
    LEDGER_URL: ledger.url,
    INTERNAL_TOKEN: token,
    DATABASE_URL: urls.collector,
    COLLECTOR_KEY: randomBytes(32).toString("hex"),
    TRUSTED_PROXIES: "127.0.0.1",
    // The load comes from one address.
    CALLS_PER_MINUTE: "0",
    ...clickhouse,
  };
  const collectors: ServiceUnderDrill[] = [];
  for (let n = 0; n < ground.collectors; n++) {
    const collector = new ServiceUnderDrill({
      name: `collector-${n}`,
      file: serviceFile("collector/main.ts"),
      port: await choosePort(),
      environment: { ...shared, SPOOL_DIR: join(ground.directory, `spool-${n}`) },
      logFile: join(logs, `collector-${n}.log`),
    });
    await collector.start();
    collectors.push(collector);
  }
  return { ledger, collectors };
}
