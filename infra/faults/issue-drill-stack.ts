import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { EventStore } from "@pro-talent/ledger/event-store/event-store";
import { openSubjects } from "@pro-talent/ledger/subjects/subjects";
import { openPool } from "@pro-talent/platform/postgres/pool";

import { choosePort } from "../embedded/ports.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { provisionDatabase, serviceFile } from "./drill-services.ts";
import { runOnce, ServiceUnderDrill } from "./service-under-drill.ts";

/** Postgres and one host of jobs that sends through `smtpUrl`, made to be hurt. */
export type IssueDrillStack = Awaited<ReturnType<typeof startIssueDrillStack>>;

/** Starts everything in `directory`, which must be empty, but the host: that is the caller's. */
export async function startIssueDrillStack(options: { directory: string; smtpUrl: string }) {
  const { directory, smtpUrl } = options;
  const logs = join(directory, "logs");
  await mkdir(logs, { recursive: true });
  const database = await startPostgres({ dataDir: join(directory, "postgres") });
  const urls = await provisionDatabase(database.url);
  const keys = { wrappingKey: randomBytes(32), lookupKey: randomBytes(32) };
  await runOnce(serviceFile("ledger/migrate.ts"), { DATABASE_OWNER_URL: urls.owner });
  await runOnce(serviceFile("jobs/migrate.ts"), {
    DATABASE_OWNER_URL: urls.owner,
    QUEUE_URL: urls.jobs,
  });
  const jobs = new ServiceUnderDrill({
    name: "jobs",
    file: serviceFile("jobs/main.ts"),
    port: await choosePort(),
    environment: {
      QUEUE_URL: urls.jobs,
      DATABASE_URL: urls.jobs,
      LEDGER_DATABASE_URL: urls.ledger,
      LEDGER_WRAPPING_KEY: keys.wrappingKey.toString("hex"),
      LEDGER_LOOKUP_KEY: keys.lookupKey.toString("hex"),
      PUBLIC_ORIGIN: "http://localhost:3000",
      SMTP_URL: smtpUrl,
      MAIL_FROM: "Pro Talent <news@example.com>",
      SUPPORT_ADDRESS: "support@example.com",
      NEWSLETTER_PER_SECOND: "500",
      // What a host had in its hands when it died is taken up again after this time.
      OUTBOX_FIRST_WAIT_MS: "1500",
    },
    logFile: join(logs, "jobs.log"),
  });
  const sql = openPool(urls.ledger, { max: 10, applicationName: "drill" });
  const owner = openPool(urls.owner, { max: 1, applicationName: "drill" });
  const store: EventStore = { sql };
  return {
    jobs,
    store,
    owner,
    subjects: openSubjects(sql, keys),
    stop: async (): Promise<void> => {
      await jobs.stop();
      await Promise.all([sql.end(), owner.end()]);
      await database.stop();
    },
  };
}
