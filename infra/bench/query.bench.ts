import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { type BenchOptions, latencies } from "./figures.ts";
import { generateEvents, lastDay } from "./generated-events.ts";

const database = "bench";
const runs = 25;
const oneDay = "day = '2026-03-18'";
/** Advised for spans of weeks: the table lies in the order in which sessions are put together. */
const inOrder = "SETTINGS optimize_aggregation_in_order = 1";
const sevenDays = `day > toDate('${lastDay}') - 7`;
const thirtyDays = `day > toDate('${lastDay}') - 30`;

/** What analysts ask (infra/docs/analytics-views.md), each with the query that answers it. */
const questions: Readonly<Record<string, string>> = {
  "sessions of one day by channel, with bounce rate and duration": `
    SELECT channel, count() AS sessions, avg(is_bounce) AS bounce_rate, median(duration_seconds) AS median_seconds
    FROM sessions WHERE ${oneDay} AND is_bot = 0 GROUP BY channel ORDER BY sessions DESC`,
  "sessions of one day by entry page": `
    SELECT entry_page, count() AS sessions
    FROM sessions WHERE ${oneDay} GROUP BY entry_page ORDER BY sessions DESC LIMIT 20`,
  "the latest 100 sessions of one day, every column": `
    SELECT * FROM sessions WHERE ${oneDay} ORDER BY started_at DESC LIMIT 100`,
  "sessions of 30 days by day": `
    SELECT day, count() AS sessions
    FROM sessions WHERE ${thirtyDays} GROUP BY day ORDER BY day ${inOrder}`,
  "sessions of 7 days by country and device": `
    SELECT country, device_class, count() AS sessions, avg(is_bounce) AS bounce_rate
    FROM sessions WHERE ${sevenDays} GROUP BY ALL ORDER BY sessions DESC LIMIT 20 ${inOrder}`,
  "sessions of 30 days by country, split at pauses": `
    SELECT country, count() AS sessions
    FROM sessions WHERE ${thirtyDays} GROUP BY country ORDER BY sessions DESC ${inOrder}`,
  "page views of one day by page": `
    SELECT page, page_views, visitors
    FROM page_views_daily WHERE ${oneDay} AND is_bot = 0 ORDER BY page_views DESC LIMIT 20`,
  "page views of 30 days by day": `
    SELECT day, sum(page_views) AS page_views
    FROM page_views_daily WHERE ${thirtyDays} GROUP BY day ORDER BY day`,
  "page views of 30 days by page": `
    SELECT page, sum(page_views) AS page_views, max(visitors) AS most_visitors_a_day
    FROM page_views_daily WHERE ${thirtyDays} GROUP BY page ORDER BY page_views DESC LIMIT 20`,
  "arrivals of one day by channel and domain": `
    SELECT channel, referrer_domain, sum(sessions) AS sessions
    FROM referrers_daily WHERE ${oneDay} GROUP BY ALL ORDER BY sessions DESC`,
  "arrivals of 30 days by domain": `
    SELECT referrer_domain, sum(sessions) AS sessions, sum(page_views) AS page_views
    FROM referrers_daily WHERE ${thirtyDays} GROUP BY referrer_domain ORDER BY sessions DESC`,
  "sessions and page views of 30 days by country": `
    SELECT country, sum(sessions) AS sessions, sum(page_views) AS page_views
    FROM audience_daily WHERE ${thirtyDays} GROUP BY country ORDER BY sessions DESC`,
  "consent decisions of 30 days by day": `
    SELECT day, decision, sum(decisions) AS decisions
    FROM consent_daily WHERE ${thirtyDays} GROUP BY ALL ORDER BY ALL`,
  "drops of 30 days by reason": `
    SELECT reason, sum(records) AS records
    FROM drops WHERE ${thirtyDays} GROUP BY reason ORDER BY records DESC`,
  "visits without consent of 30 days by page": `
    SELECT page, sum(sessions) AS sessions, sum(page_views) AS page_views
    FROM visits_without_consent_daily WHERE ${thirtyDays} GROUP BY page ORDER BY page_views DESC`,
};

/**
 * Asks the analysts' questions on generated events and measures each answer as the client sees it,
 * from sending the question to the parsed rows. The first answer of a question is not counted: it
 * reads the disk.
 */
export async function benchQueries({ directory, rows }: BenchOptions): Promise<void> {
  const server = await startClickhouse({ dataDir: directory });
  const admin = connectClickhouse(server.url, { application: "bench", requestTimeoutMs: 300_000 });
  const analyst = connectClickhouse(server.url, { application: "bench", database });
  try {
    await migrateClickhouse(admin, {
      database,
      directory: clickhouseMigrations,
      topology: { kind: "single" },
    });
    await generateEvents(admin, database, rows);
    console.log(`\nquestions on ${rows} events`);
    for (const [question, sql] of Object.entries(questions)) {
      console.log(`  ${latencies(await measure(analyst, sql))}  (${runs} runs)  ${question}`);
    }
  } finally {
    await analyst.close();
    await admin.close();
    await server.stop();
  }
}

async function measure(client: ClickHouseClient, sql: string): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const begin = performance.now();
    const result = await client.query({ query: sql, format: "JSONEachRow" });
    const answer = await result.json();
    if (answer.length === 0) throw new Error("A question without an answer measures nothing");
    if (run > 0) times.push(performance.now() - begin);
  }
  return times;
}
