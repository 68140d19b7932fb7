-- What happened on the site, one row per consented event, appended and never updated.
--
-- Sort key: a day of one visitor's sessions lies together. That serves ranges of time, reading one
-- visitor's history (access, erasure) with one seek per day and part, and compression: everything
-- that repeats within a session is adjacent. Questions about pages, referrers and sessions are
-- answered by the aggregates.
CREATE TABLE IF NOT EXISTS {database}.events {on_cluster}
(
    event_id UUID COMMENT 'Made by the client (then stored once whatever is sent again) or by the collector' CODEC(ZSTD(1)),
    kind LowCardinality(String) COMMENT 'session_start, page_view, click, custom or session_end',
    event_type LowCardinality(String) COMMENT 'Name of a custom event, else empty',
    visitor_id UUID COMMENT 'Keyed pseudonym of the anonymous id' CODEC(ZSTD(1)),
    session_id UUID CODEC(ZSTD(1)),
    session_started_at DateTime64(3, 'UTC') COMMENT 'Constant per session' CODEC(Delta, ZSTD(1)),
    occurred_at DateTime64(3, 'UTC') COMMENT 'When it happened, by the device if it said so' CODEC(Delta, ZSTD(1)),
    received_at DateTime64(3, 'UTC') COMMENT 'When the collector took it' CODEC(Delta, ZSTD(1)),
    page LowCardinality(String) COMMENT 'Path without query and fragment',
    page_title LowCardinality(String),
    entry_page LowCardinality(String) COMMENT 'Page of the session''s arrival',
    referrer_domain LowCardinality(String) COMMENT 'Domain that led to the session, empty when none',
    channel LowCardinality(String) COMMENT 'direct, search, social, email, referral, paid or internal',
    utm_source LowCardinality(String),
    utm_medium LowCardinality(String),
    utm_campaign LowCardinality(String),
    utm_term LowCardinality(String),
    utm_content LowCardinality(String),
    element LowCardinality(String) COMMENT 'What was clicked',
    element_category LowCardinality(String),
    element_id LowCardinality(String),
    element_class LowCardinality(String),
    click_x Nullable(Int32) COMMENT 'CSS pixels',
    click_y Nullable(Int32) COMMENT 'CSS pixels',
    event_data String COMMENT 'JSON text of a custom event' CODEC(ZSTD(3)),
    browser LowCardinality(String),
    browser_major UInt16,
    os LowCardinality(String),
    device_class LowCardinality(String) COMMENT 'desktop, mobile, tablet, tv, console or other',
    country LowCardinality(String) COMMENT 'ISO 3166-1 alpha-2, empty when unknown',
    region LowCardinality(String),
    city LowCardinality(String),
    is_bot UInt8,
    bot_reasons Array(LowCardinality(String)),
    screen LowCardinality(String),
    viewport LowCardinality(String),
    timezone LowCardinality(String),
    color_depth UInt8,
    pixel_ratio Float32,
    device_memory Float32 COMMENT 'GiB, rounded by the browser',
    connection_type LowCardinality(String)
)
ENGINE = {engine:MergeTree()}
PARTITION BY toYYYYMM(occurred_at)
PRIMARY KEY (toDate(occurred_at), visitor_id, session_id)
ORDER BY (toDate(occurred_at), visitor_id, session_id, occurred_at, event_id)
TTL toDateTime(occurred_at) + INTERVAL 25 MONTH DELETE
SETTINGS {dedup_settings}, fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Consented events, one row each';

-- Where a segment of the spool is inserted. It stores nothing: each view that hangs on it writes
-- one table, so that every table has its own record of the insert's token, and a table that lost
-- its part in a crash can be given it again without touching the others.
--
-- `target`: empty for all tables, or the name of the only one that shall take the row.
-- `mark`: id of a segment on the rows that say "this segment is here"; zero on every other row.
CREATE TABLE IF NOT EXISTS {database}.events_in {on_cluster} AS {database}.events
ENGINE = Null;

ALTER TABLE {database}.events_in {on_cluster} ADD COLUMN IF NOT EXISTS target LowCardinality(String);

ALTER TABLE {database}.events_in {on_cluster} ADD COLUMN IF NOT EXISTS mark UUID;

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.events_mv {on_cluster} TO {database}.events AS
SELECT * EXCEPT (target, mark)
FROM {database}.events_in
WHERE target IN ('', 'events') AND mark = toUUID('00000000-0000-0000-0000-000000000000');
