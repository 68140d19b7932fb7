import { chmod } from "node:fs/promises";
import { join } from "node:path";

import { productServices } from "../embedded/services/product-services.ts";
import { startRedis } from "../faults/redis-server.ts";
import { type RunningProcesses, startProcesses } from "./start-processes.ts";

/** How journeys run: `PRODUCT=processes`, by the commands of docker-compose.yml; else as `npm start` does. */
export const runsAsProcesses = process.env["PRODUCT"] === "processes";
const queuesOnRedis = process.env["TEST_QUEUE"] === "redis";

/**
 * What journeys need beside what containers have: many visitors have one address here, the clock is moved, and cards
 * are those of the sandbox.
 */
const settingsOfJourneys =
  /^(?:CALLS|ENTRIES|FILES|FORMS|READS)_PER_MINUTE$|^TIMERS_SWEEP_MS$|^LOCATIONS_LOADED$|^PAYMENTS/u;

type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The product as processes, for journeys. @param settings of services, by their names */
export async function startProcessProduct(
  dataDir: string,
  settings: Settings = {},
): Promise<RunningProcesses> {
  // The user that runs them must be able to enter.
  await chmod(dataDir, 0o711);
  const redis = queuesOnRedis ? await startRedis(dataDir) : undefined;
  const product = await startProcesses({
    dataDir,
    queueUrl: redis?.url,
    beside: productServices.filter(({ name }) => name === "payments-sandbox"),
    // Journeys are over before the first set is due.
    without: ["backups"],
    more: (name, context, origin) => {
      const embedded = productServices.find((service) => service.name === name);
      const given = Object.entries(embedded?.environment(context, origin) ?? {});
      return {
        ...Object.fromEntries(given.filter(([key]) => settingsOfJourneys.test(key))),
        LOG_LEVEL: "warn",
        NODE_ENV: "test",
        TEST_CLOCK_FILE: join(context.dataDir, "test-clock.json"),
        // The embedded engine has no users of analysts, which operators make on a server.
        CLICKHOUSE_ANALYSTS_KEY: undefined,
        ...settings[name],
      };
    },
  });
  return {
    ...product,
    stop: async () => {
      await product.stop();
      await redis?.stop();
    },
  };
}
