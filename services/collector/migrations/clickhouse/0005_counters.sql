-- Numbers by day without any id: visits without consent, consent decisions, refusals. They are
-- nobody's data and stay. Not partitioned: a few hundred rows a day, and one insert is one part.
CREATE TABLE IF NOT EXISTS {database}.counters_daily {on_cluster}
(
    mark UUID COMMENT 'Zero; else this row only says that a segment of the spool is here' CODEC(ZSTD(1)),
    day Date COMMENT 'UTC',
    metric LowCardinality(String) COMMENT 'session, page_view, click, custom, session_end, consent or drop',
    page LowCardinality(String) COMMENT 'Path, for visits only',
    label LowCardinality(String) COMMENT 'Reason or decision',
    detail LowCardinality(String),
    count UInt64
)
ENGINE = {engine:SummingMergeTree(count)}
ORDER BY (mark, day, metric, page, label, detail)
TTL toDateTime(UUIDv7ToDateTime(mark)) + INTERVAL 30 DAY DELETE WHERE mark != toUUID('00000000-0000-0000-0000-000000000000')
SETTINGS {dedup_settings}, fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Anonymous counters; always sum(count), rows merge in the background';

-- Where counters are inserted; stores nothing itself (see events_in).
CREATE TABLE IF NOT EXISTS {database}.counters_in {on_cluster} AS {database}.counters_daily
ENGINE = Null;

ALTER TABLE {database}.counters_in {on_cluster} ADD COLUMN IF NOT EXISTS target LowCardinality(String);

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.counters_mv {on_cluster} TO {database}.counters_daily AS
SELECT * EXCEPT (target)
FROM {database}.counters_in
WHERE target IN ('', 'counters_daily');
