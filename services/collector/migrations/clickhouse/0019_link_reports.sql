-- What pages and files behind share links report while they are visible: one row for each report,
-- appended and never updated. Values are totals since the page was opened, so that the largest of an
-- open hold. The first report of an open confirms that its page was visible.
CREATE TABLE IF NOT EXISTS {database}.link_reports {on_cluster}
(
    report_id UUID COMMENT 'pseudonym: Names the report' CODEC(ZSTD(1)),
    event_id UUID COMMENT 'pseudonym: The open that led to the page' CODEC(ZSTD(1)),
    link_id UUID COMMENT 'pseudonym: The link' CODEC(ZSTD(1)),
    account_id UUID COMMENT 'pseudonym: Its owner' CODEC(ZSTD(1)),
    opened_at DateTime64(3, 'UTC') COMMENT 'operational: When the link was opened' CODEC(Delta, ZSTD(1)),
    reported_at DateTime64(3, 'UTC') COMMENT 'operational: When the report arrived' CODEC(Delta, ZSTD(1)),
    seconds UInt32 COMMENT 'operational: Seconds for which the page was visible and in use',
    pages UInt16 COMMENT 'operational: Pages of a PDF that were shown; 0 for anything else',
    pages_total UInt16 COMMENT 'operational: Pages that the PDF has; 0 for anything else',
    downloaded Bool COMMENT 'operational: The file was saved'
)
ENGINE = {engine:MergeTree()}
PARTITION BY toYYYYMM(reported_at)
ORDER BY (account_id, link_id, event_id, reported_at)
TTL toDateTime(reported_at) + INTERVAL 25 MONTH DELETE
SETTINGS {dedup_settings}, fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Reports of pages and files behind share links. Kept: 25 months';

-- Where reports are inserted; stores nothing itself (see events_in).
CREATE TABLE IF NOT EXISTS {database}.reports_in {on_cluster} AS {database}.link_reports
ENGINE = Null;

ALTER TABLE {database}.reports_in {on_cluster} ADD COLUMN IF NOT EXISTS target LowCardinality(String);

ALTER TABLE {database}.reports_in {on_cluster} ADD COLUMN IF NOT EXISTS mark UUID;

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.link_reports_mv {on_cluster} TO {database}.link_reports AS
SELECT * EXCEPT (target, mark)
FROM {database}.reports_in
WHERE target IN ('', 'link_reports') AND mark = toUUID('00000000-0000-0000-0000-000000000000');
