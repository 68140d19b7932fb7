import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { until } from "@pro-talent/platform/testing/until";

/** Last day of the generated history; fixed, so that every run asks the same questions. */
export const lastDay = "2026-03-31";
const days = 90;
const sessionsPerBatch = 100_000;
/** Inserts beside each other: the views of one insert follow each other on one thread. */
const lanes = 2;
/** What ready-made questions do not read; with them an insert takes about half as long again. */
const unread = ["page_views_mv", "referrers_mv", "audience_mv"];
/** Two reports and a geometric tail of 8 more on average: start, pages, clicks, end. */
const eventsPerSession = 9.5;

/**
 * Fills a database with 90 days of visits inside ClickHouse, through the same head table and
 * materialised views as the collector: skewed pages, countries and referrers, quiet nights,
 * returning visitors, every twentieth session with a pause of more than half an hour.
 * @param of `questions`: without the daily aggregates of the site, which ready-made questions do not read
 */
export async function generateEvents(
  client: ClickHouseClient,
  database: string,
  rows: number,
  of: "all" | "questions" = "all",
): Promise<void> {
  const sessions = Math.round(rows / eventsPerSession);
  const views = of === "all" ? [] : unread.map((view) => `${database}.${view}`);
  for (const view of views) await client.command({ query: `DETACH TABLE ${view}` });
  const inLane = async (lane: number): Promise<void> => {
    const step = lanes * sessionsPerBatch;
    for (let from = lane * sessionsPerBatch; from < sessions; from += step) {
      const count = Math.min(sessionsPerBatch, sessions - from);
      await client.command({ query: eventsBatch(database, { from, count, sessions }) });
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane)));
  for (const view of views) await client.command({ query: `ATTACH TABLE ${view}` });
  await client.command({ query: counters(database, Math.ceil(rows / 33)) });
  // Old data of a live system was merged long ago; nothing is forced (no OPTIMIZE).
  await until("no parts are being merged", async () => (await merges(client)) === 0, 120_000);
}

/** A number in [0, 1) that looks random and is the same in every run. */
const chance = (salt: string, ...of: string[]): string =>
  `(sipHash64(${[...of, `'${salt}'`].join()}) % 1000000 / 1000000.)`;

const pick = (salt: string, skew: number, values: readonly string[]): string =>
  `[${values.map((value) => `'${value}'`).join()}][1 + toUInt8(pow(${chance(salt, "s")}, ${skew}) * ${values.length})]`;

const countries = "US,IL,GB,DE,FR,IN,CA,BR,AU,ES,NL,PL,UA,IT,RO,SE,MX,AR,ZA,JP".split(",");
const referrers = "google.com,linkedin.com,facebook.com,bing.com,t.co,reddit.com,news.site".split(
  ",",
);
const channels = "direct,search,social,referral,email,paid".split(",");

function eventsBatch(
  database: string,
  batch: { from: number; count: number; sessions: number },
): string {
  const spanMs = days * 86_400_000;
  return `
    INSERT INTO ${database}.events_in
      (event_id, kind, visitor_id, session_id, session_started_at, occurred_at, received_at, page,
       entry_page, channel, referrer_domain, utm_source, utm_campaign, element, event_data, browser,
       os, device_class, country, region, city, is_bot, screen, timezone)
    SELECT
      generateUUIDv7(i), multiIf(i = 0, 'session_start', i = n - 1, 'session_end',
        i % 3 = 2, 'click', i % 7 = 6, 'custom', 'page_view'),
      visitor, session, started,
      started + toIntervalMillisecond(i * step + if(s % 20 = 0 AND i > n / 2, 2700000, 0)) AS at,
      at + toIntervalMillisecond(40),
      multiIf(i < 2, landing, ${chance("goal", "s", "i")} < 0.01, goal,
        '/page-' || toString(toUInt16(pow(${chance("page", "s", "i")}, 3) * 120))),
      '/', from_channel, referrer, utm_source, utm_campaign,
      if(i % 3 = 2, 'cta-' || toString(i % 5), ''), '{}',
      browser, os, device, country, region, city, s % 33 = 0, '1920x1080', 'Etc/UTC'
    -- What is the same for a session is computed once.
    FROM (
      WITH
        toDateTime64('${lastDay} 23:59:59.999', 3, 'UTC') - toIntervalMillisecond(${spanMs}) AS start,
        -- Fewer visits at night: half of the night's are moved to the afternoon.
        toUInt64(s * ${spanMs} / ${batch.sessions}) AS even,
        if(even % 86400000 < 28800000 AND ${chance("night", "s")} < 0.5, even + 43200000, even) AS begins
      SELECT
        number AS s,
        toUInt32(2 + least(58, -ln(${chance("length", "s")} + 0.000001) * 7.5)) AS n,
        4000 + sipHash64(s) % 60000 AS step,
        start + toIntervalMillisecond(begins) AS started,
        reinterpretAsUUID(sipHash128(toUInt64(pow(${chance("visitor", "s")}, 1.3) * ${batch.sessions} * 0.6))) AS visitor,
        reinterpretAsUUID(sipHash128(s, 'session')) AS session,
        '/' || ${pick("landing", 2, ["", "pricing", "ats/what-is-ats", "about", "signup"])} AS landing,
        '/' || ${pick("goal", 2, ["join", "newsletter/confirmed", "checkout/return"])} AS goal,
        ${pick("channel", 1.5, channels)} AS from_channel,
        if(from_channel = 'direct', '', ${pick("referrer", 1.4, referrers)}) AS referrer,
        if(from_channel = 'paid', 'google', '') AS utm_source,
        if(from_channel = 'paid', 'campaign-' || toString(s % 7), '') AS utm_campaign,
        ${pick("browser", 1.6, ["Chrome", "Safari", "Firefox", "Edge"])} AS browser,
        ${pick("os", 1.2, ["Windows", "macOS", "Android", "iOS", "Linux"])} AS os,
        ${pick("device", 1.3, ["desktop", "mobile", "tablet"])} AS device,
        ${pick("country", 2, countries)} AS country,
        'Region ' || toString(s % 40) AS region, 'City ' || toString(s % 400) AS city
      FROM numbers(${batch.from}, ${batch.count}))
    ARRAY JOIN range(n) AS i
    SETTINGS max_insert_threads = 1, max_partitions_per_insert_block = 100`;
}

function counters(database: string, count: number): string {
  return `
    INSERT INTO ${database}.counters_in (day, metric, page, label, detail, count)
    SELECT toDate('${lastDay}') - number % ${days} AS day,
      ['page_view', 'page_view', 'session', 'click', 'consent', 'drop'][1 + intDiv(number, ${days}) % 6] AS metric,
      if(metric IN ('consent', 'drop'), '', '/page-' || toString(intDiv(number, 540) % 120)),
      multiIf(metric = 'consent', ['granted', 'rejected', 'dnt', 'gpc', 'withdrawn'][1 + toUInt8(pow(sipHash64(number) % 1000 / 1000, 1.8) * 5)],
        metric = 'drop', ['bot_marked', 'duplicate', 'invalid_body', 'rate_limited'][1 + toUInt8(pow(sipHash64(number) % 1000 / 1000, 3) * 4)],
        ['no_consent', 'dnt', 'gpc'][1 + toUInt8(pow(sipHash64(number) % 1000 / 1000, 2) * 3)]),
      if(metric = 'consent', ['accept_all', 'reject_all', 'customise'][1 + sipHash64(number, 1) % 3], ''),
      1 + sipHash64(number, 2) % 3
    FROM numbers(${count})`;
}

async function merges(client: ClickHouseClient): Promise<number | undefined> {
  const query = "SELECT count() AS n FROM system.merges";
  const result = await client.query({ query, format: "JSONEachRow" });
  return (await result.json<{ n: number }>())[0]?.n;
}
