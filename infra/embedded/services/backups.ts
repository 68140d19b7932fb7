import { clickhouseUrl, superuserUrl } from "../addresses.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** Takes, purges and verifies backups: a part of `npm start` alone, not of platforms under test. */
export const backups: ServiceDefinition = {
  name: "backups",
  load: async () => (await import("../../backup/open-backups.ts")).openBackups,
  background: true,
  needs: ["postgres", "clickhouse"],
  routes: [],
  environment: (context) => ({
    DATA_DIR: context.dataDir,
    POSTGRES_ADMIN_URL: superuserUrl(context),
    CLICKHOUSE_URL: clickhouseUrl(context),
  }),
};
