import { once } from "node:events";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { startClickhouse } from "./start-clickhouse.ts";

/**
 * `npm run clickhouse:serve`: the embedded engine alone, with an empty data directory of its own or the
 * one that is named, for tools that use ClickHouse's HTTP interface. Ends with Ctrl+C.
 *
 *     npm run clickhouse:serve -- --data <directory> [--port 8123] [--password <of the user default>]
 */
await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      port: { type: "string", default: "8123" },
      password: { type: "string" },
    },
  });
  const clickhouse = await startClickhouse({
    dataDir: resolve(values.data ?? ".data/clickhouse-alone"),
    port: Number(values.port),
    onLog: printLine,
    ...(values.password === undefined ? {} : { password: values.password }),
  });
  printLine(clickhouse.url);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await clickhouse.stop();
  return 0;
});
