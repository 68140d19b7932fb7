-- Activity of a session in each half hour since its beginning. Inside such a bucket no pause reaches
-- 30 minutes, so whether a session was interrupted can be read from the buckets' first and last
-- moments alone, in whatever order the events arrived; and most sessions have one bucket.
--
-- Partitioned by week: a session lies in one partition, so that ClickHouse aggregates partitions
-- beside each other and merges nothing; with months, 30 days would be the work of one thread.
--
-- Every column merges by a function that does not depend on the order of merging. `mark` leads the
-- key so that marks (see events_in) never lie among the data; they go after 30 days.
CREATE TABLE IF NOT EXISTS {database}.sessions_agg {on_cluster}
(
    mark UUID CODEC(ZSTD(1)),
    session_day Date,
    session_id UUID CODEC(ZSTD(1)),
    bucket Int32 COMMENT 'Half hours since the session began',
    visitor_id SimpleAggregateFunction(max, UUID) CODEC(ZSTD(1)),
    first_at SimpleAggregateFunction(min, Int64) COMMENT 'First moment, ms since 1970' CODEC(Delta, ZSTD(1)),
    last_at SimpleAggregateFunction(max, Int64) COMMENT 'Last moment, ms since 1970' CODEC(Delta, ZSTD(1)),
    page_views SimpleAggregateFunction(sum, UInt64),
    clicks SimpleAggregateFunction(sum, UInt64),
    custom_events SimpleAggregateFunction(sum, UInt64),
    events SimpleAggregateFunction(sum, UInt64),
    ends SimpleAggregateFunction(sum, UInt64),
    first_page SimpleAggregateFunction(min, Tuple(Int64, String)) COMMENT 'Moment and path of the first page; 2^62 when none',
    last_page SimpleAggregateFunction(max, Tuple(Int64, String)) COMMENT 'Moment and path of the last page; 0 when none',
    channel SimpleAggregateFunction(max, LowCardinality(String)),
    referrer_domain SimpleAggregateFunction(max, LowCardinality(String)),
    utm_source SimpleAggregateFunction(max, LowCardinality(String)),
    utm_medium SimpleAggregateFunction(max, LowCardinality(String)),
    utm_campaign SimpleAggregateFunction(max, LowCardinality(String)),
    utm_term SimpleAggregateFunction(max, LowCardinality(String)),
    utm_content SimpleAggregateFunction(max, LowCardinality(String)),
    country SimpleAggregateFunction(max, LowCardinality(String)),
    place SimpleAggregateFunction(max, LowCardinality(String)) COMMENT 'country, region and city with tabs between, so that they stay together',
    device_class SimpleAggregateFunction(max, LowCardinality(String)),
    browser SimpleAggregateFunction(max, LowCardinality(String)),
    os SimpleAggregateFunction(max, LowCardinality(String)),
    is_bot SimpleAggregateFunction(max, UInt8)
)
ENGINE = {engine:AggregatingMergeTree()}
PARTITION BY toMonday(session_day)
ORDER BY (mark, session_day, session_id, bucket)
TTL toDateTime(session_day) + INTERVAL 25 MONTH DELETE,
    toDateTime(UUIDv7ToDateTime(mark)) + INTERVAL 30 DAY DELETE WHERE mark != toUUID('00000000-0000-0000-0000-000000000000')
SETTINGS {dedup_settings}, fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Sessions by half hours; read it through the view sessions';

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.sessions_mv {on_cluster} TO {database}.sessions_agg AS
SELECT
    e.mark AS mark,
    toDate(e.session_started_at) AS session_day,
    e.session_id AS session_id,
    toInt32(floor((toUnixTimestamp64Milli(e.occurred_at) - toUnixTimestamp64Milli(e.session_started_at)) / 1800000)) AS bucket,
    max(e.visitor_id) AS visitor_id,
    toUnixTimestamp64Milli(min(e.occurred_at)) AS first_at,
    toUnixTimestamp64Milli(max(e.occurred_at)) AS last_at,
    countIf(e.kind = 'page_view') AS page_views,
    countIf(e.kind = 'click') AS clicks,
    countIf(e.kind = 'custom') AS custom_events,
    count() AS events,
    countIf(e.kind = 'session_end') AS ends,
    min(if(e.page != '',
        (toUnixTimestamp64Milli(e.occurred_at), toString(e.page)),
        (toInt64(4611686018427387904), ''))) AS first_page,
    max(if(e.page != '',
        (toUnixTimestamp64Milli(e.occurred_at), toString(e.page)),
        (toInt64(0), ''))) AS last_page,
    max(e.channel) AS channel,
    max(e.referrer_domain) AS referrer_domain,
    max(e.utm_source) AS utm_source,
    max(e.utm_medium) AS utm_medium,
    max(e.utm_campaign) AS utm_campaign,
    max(e.utm_term) AS utm_term,
    max(e.utm_content) AS utm_content,
    max(e.country) AS country,
    max(concat(e.country, '\t', e.region, '\t', e.city)) AS place,
    max(e.device_class) AS device_class,
    max(e.browser) AS browser,
    max(e.os) AS os,
    max(e.is_bot) AS is_bot
FROM {database}.events_in AS e
WHERE e.target IN ('', 'sessions_agg')
GROUP BY mark, session_day, session_id, bucket;
