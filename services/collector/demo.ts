import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { parseEnv } from "@pro-talent/platform/config/define-env";
import { type DemoPart, demoClock } from "@pro-talent/platform/runtime/demo";
import { z } from "zod";

import { subjectTables } from "./erase/erase-rows.ts";
import { inventOpens } from "./links/invented-opens.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** The opens of the demo's links. They are stored at once: what is invented needs no spool. */
export const collectorDemo: DemoPart = {
  make: async (source, { nowMs, links }) => {
    demoClock(source);
    const history = links.map((link, index) => inventOpens(link, nowMs, index + 1));
    await withStore(source, async (clickhouse) => {
      await insert(
        clickhouse,
        "opens_in",
        history.flatMap(({ opens }) => opens),
      );
      await insert(
        clickhouse,
        "reports_in",
        history.flatMap(({ reports }) => reports),
      );
    });
  },
  remove: async (source, people) => {
    demoClock(source);
    const ids = people.map(({ accountId }) => accountId);
    await withStore(source, async (clickhouse) => {
      for (const table of subjectTables.account.tables) {
        await clickhouse.command({
          query: `DELETE FROM ${table} WHERE account_id IN {ids:Array(UUID)}`,
          query_params: { ids },
        });
      }
    });
    return [];
  },
};

async function withStore(
  source: Source,
  work: (clickhouse: ClickHouseClient) => Promise<void>,
): Promise<void> {
  const env = parseEnv({ CLICKHOUSE_URL: z.url(), CLICKHOUSE_DATABASE: z.string() }, source);
  const clickhouse = connectClickhouse(env.CLICKHOUSE_URL, {
    application: "demo",
    database: env.CLICKHOUSE_DATABASE,
  });
  try {
    await work(clickhouse);
  } finally {
    await clickhouse.close();
  }
}

async function insert(
  clickhouse: ClickHouseClient,
  table: string,
  values: readonly object[],
): Promise<void> {
  await clickhouse.insert({
    table,
    values: [...values],
    format: "JSONEachRow",
    clickhouse_settings: { date_time_input_format: "best_effort" },
  });
}
