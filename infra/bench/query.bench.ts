import { randomBytes } from "node:crypto";

import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";

import { generateEvents, lastDay } from "./generated-events.ts";

export type QueryFigures = { question: string; p50Ms: number; p95Ms: number; runs: number };

const oneDay = "day = '2026-03-18'";
/** Advised for spans of weeks: the table lies in the order in which sessions are put together. */
const inOrder = "SETTINGS optimize_aggregation_in_order = 1";
const sevenDays = `day > toDate('${lastDay}') - 7`;
const thirtyDays = `day > toDate('${lastDay}') - 30`;

/** What analysts ask (infra/docs/analytics-views.md), each beside the view that answers it. */
export const questions: readonly { question: string; sql: string }[] = [
  {
    question: "sessions of one day by channel, with bounce rate and duration",
    sql: `SELECT channel, count() AS sessions, avg(is_bounce) AS bounce_rate,
            median(duration_seconds) AS median_seconds
          FROM sessions WHERE ${oneDay} AND is_bot = 0 GROUP BY channel ORDER BY sessions DESC`,
  },
  {
    question: "sessions of one day by entry page",
    sql: `SELECT entry_page, count() AS sessions FROM sessions
          WHERE ${oneDay} GROUP BY entry_page ORDER BY sessions DESC LIMIT 20`,
  },
  {
    question: "the latest 100 sessions of one day, every column",
    sql: `SELECT * FROM sessions WHERE ${oneDay} ORDER BY started_at DESC LIMIT 100`,
  },
  {
    question: "sessions of 30 days by day",
    sql: `SELECT day, count() AS sessions FROM sessions WHERE ${thirtyDays} GROUP BY day ORDER BY day ${inOrder}`,
  },
  {
    question: "sessions of 7 days by country and device",
    sql: `SELECT country, device_class, count() AS sessions, avg(is_bounce) AS bounce_rate
          FROM sessions WHERE ${sevenDays} GROUP BY ALL ORDER BY sessions DESC LIMIT 20 ${inOrder}`,
  },
  {
    question: "sessions of 30 days by country, split at pauses",
    sql: `SELECT country, count() AS sessions FROM sessions
          WHERE ${thirtyDays} GROUP BY country ORDER BY sessions DESC ${inOrder}`,
  },
  {
    question: "page views of one day by page",
    sql: `SELECT page, page_views, visitors FROM page_views_daily
          WHERE ${oneDay} AND is_bot = 0 ORDER BY page_views DESC LIMIT 20`,
  },
  {
    question: "page views of 30 days by day",
    sql: `SELECT day, sum(page_views) AS page_views FROM page_views_daily
          WHERE ${thirtyDays} GROUP BY day ORDER BY day`,
  },
  {
    question: "page views of 30 days by page",
    sql: `SELECT page, sum(page_views) AS page_views, max(visitors) AS most_visitors_a_day
          FROM page_views_daily WHERE ${thirtyDays} GROUP BY page ORDER BY page_views DESC LIMIT 20`,
  },
  {
    question: "arrivals of one day by channel and domain",
    sql: `SELECT channel, referrer_domain, sum(sessions) AS sessions FROM referrers_daily
          WHERE ${oneDay} GROUP BY ALL ORDER BY sessions DESC`,
  },
  {
    question: "arrivals of 30 days by domain",
    sql: `SELECT referrer_domain, sum(sessions) AS sessions, sum(page_views) AS page_views
          FROM referrers_daily WHERE ${thirtyDays} GROUP BY referrer_domain ORDER BY sessions DESC`,
  },
  {
    question: "sessions and page views of 30 days by country",
    sql: `SELECT country, sum(sessions) AS sessions, sum(page_views) AS page_views
          FROM audience_daily WHERE ${thirtyDays} GROUP BY country ORDER BY sessions DESC`,
  },
  {
    question: "consent decisions of 30 days by day",
    sql: `SELECT day, decision, sum(decisions) AS decisions FROM consent_daily
          WHERE ${thirtyDays} GROUP BY ALL ORDER BY ALL`,
  },
  {
    question: "drops of 30 days by reason",
    sql: `SELECT reason, sum(records) AS records FROM drops
          WHERE ${thirtyDays} GROUP BY reason ORDER BY records DESC`,
  },
  {
    question: "visits without consent of 30 days by page",
    sql: `SELECT page, sum(sessions) AS sessions, sum(page_views) AS page_views
          FROM visits_without_consent_daily WHERE ${thirtyDays} GROUP BY page ORDER BY page_views DESC`,
  },
];

const runs = 25;

/**
 * Asks the analysts' questions on generated events and measures each answer as the client sees it,
 * from sending the question to the parsed rows. The first answer of a question is not counted: it
 * reads the disk. The database is its own and is dropped in the end.
 */
export async function benchQueries(
  clickhouseUrl: string,
  rows = 10_000_000,
): Promise<QueryFigures[]> {
  const database = `bench_${randomBytes(6).toString("hex")}`;
  const requestTimeoutMs = 300_000;
  const admin = connectClickhouse(clickhouseUrl, { application: "bench", requestTimeoutMs });
  const analyst = connectClickhouse(clickhouseUrl, { application: "bench", database });
  try {
    await migrateClickhouse(admin, {
      database,
      directory: clickhouseMigrations,
      topology: { kind: "single" },
    });
    await generateEvents(admin, database, rows);
    const figures: QueryFigures[] = [];
    for (const { question, sql } of questions) {
      figures.push({ question, ...(await measure(analyst, sql)) });
    }
    return figures;
  } finally {
    await admin.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
    await analyst.close();
    await admin.close();
  }
}

async function measure(
  client: ClickHouseClient,
  sql: string,
): Promise<Omit<QueryFigures, "question">> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const begin = performance.now();
    const result = await client.query({ query: sql, format: "JSONEachRow" });
    const answer = await result.json();
    if (answer.length === 0) throw new Error("A question without an answer measures nothing");
    if (run > 0) times.push(performance.now() - begin);
  }
  times.sort((left, right) => left - right);
  return { p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), runs };
}

/** Nearest rank (the smallest value that is not below the share). */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
