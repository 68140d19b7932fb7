-- Where sessions came from, by the day on which they began.
CREATE TABLE IF NOT EXISTS {database}.referrers_agg {on_cluster}
(
    mark UUID CODEC(ZSTD(1)),
    day Date,
    channel LowCardinality(String),
    referrer_domain LowCardinality(String),
    utm_source LowCardinality(String),
    utm_medium LowCardinality(String),
    utm_campaign LowCardinality(String),
    is_bot UInt8,
    page_views SimpleAggregateFunction(sum, UInt64),
    sessions AggregateFunction(uniq, UUID),
    visitors AggregateFunction(uniq, UUID)
)
ENGINE = {engine:AggregatingMergeTree()}
PARTITION BY toYYYYMM(day)
ORDER BY (mark, day, channel, referrer_domain, utm_source, utm_medium, utm_campaign, is_bot)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE,
    toDateTime(UUIDv7ToDateTime(mark)) + INTERVAL 30 DAY DELETE WHERE mark != toUUID('00000000-0000-0000-0000-000000000000')
SETTINGS {dedup_settings}, fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Arrivals by day; read it through the view referrers_daily';

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.referrers_mv {on_cluster} TO {database}.referrers_agg AS
SELECT
    e.mark AS mark,
    toDate(e.session_started_at) AS day,
    e.channel AS channel,
    e.referrer_domain AS referrer_domain,
    e.utm_source AS utm_source,
    e.utm_medium AS utm_medium,
    e.utm_campaign AS utm_campaign,
    e.is_bot AS is_bot,
    countIf(e.kind = 'page_view') AS page_views,
    uniqState(e.session_id) AS sessions,
    uniqState(e.visitor_id) AS visitors
FROM {database}.events_in AS e
WHERE e.target IN ('', 'referrers_agg')
GROUP BY mark, day, channel, referrer_domain, utm_source, utm_medium, utm_campaign, is_bot;

-- Where people are and on what, by the day on which their sessions began.
CREATE TABLE IF NOT EXISTS {database}.audience_agg {on_cluster}
(
    mark UUID CODEC(ZSTD(1)),
    day Date,
    country LowCardinality(String),
    device_class LowCardinality(String),
    is_bot UInt8,
    page_views SimpleAggregateFunction(sum, UInt64),
    sessions AggregateFunction(uniq, UUID),
    visitors AggregateFunction(uniq, UUID)
)
ENGINE = {engine:AggregatingMergeTree()}
PARTITION BY toYYYYMM(day)
ORDER BY (mark, day, country, device_class, is_bot)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE,
    toDateTime(UUIDv7ToDateTime(mark)) + INTERVAL 30 DAY DELETE WHERE mark != toUUID('00000000-0000-0000-0000-000000000000')
SETTINGS {dedup_settings}, fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Countries and devices by day; read it through the view audience_daily';

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.audience_mv {on_cluster} TO {database}.audience_agg AS
SELECT
    e.mark AS mark,
    toDate(e.session_started_at) AS day,
    e.country AS country,
    e.device_class AS device_class,
    e.is_bot AS is_bot,
    countIf(e.kind = 'page_view') AS page_views,
    uniqState(e.session_id) AS sessions,
    uniqState(e.visitor_id) AS visitors
FROM {database}.events_in AS e
WHERE e.target IN ('', 'audience_agg')
GROUP BY mark, day, country, device_class, is_bot;
