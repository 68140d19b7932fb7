-- Requests for share links: one row each, appended and never updated. The sort key serves the owner's
-- questions, which are about one account, mostly about one link, and about a range of time.
CREATE TABLE IF NOT EXISTS {database}.link_opens {on_cluster}
(
    event_id UUID COMMENT 'pseudonym: Names the request' CODEC(ZSTD(1)),
    link_id UUID COMMENT 'pseudonym: The link' CODEC(ZSTD(1)),
    account_id UUID COMMENT 'pseudonym: Its owner' CODEC(ZSTD(1)),
    occurred_at DateTime64(3, 'UTC') COMMENT 'operational: When it arrived' CODEC(Delta, ZSTD(1)),
    leads_to LowCardinality(String) COMMENT 'operational: file, profile or external',
    exclusion LowCardinality(String) COMMENT 'operational: Why it is no open by a person; empty for one',
    reasons Array(LowCardinality(String)) COMMENT 'operational: What the exclusion is based on',
    visitor_id UUID COMMENT 'pseudonym: Random; one visitor of one link, for 48 hours; zero for none' CODEC(ZSTD(1)),
    browser LowCardinality(String) COMMENT 'coarse: Family of the browser',
    os LowCardinality(String) COMMENT 'coarse: Operating system',
    device_class LowCardinality(String) COMMENT 'coarse: desktop, mobile, tablet, tv, console or other',
    country LowCardinality(String) COMMENT 'coarse: ISO 3166-1 alpha-2, empty when unknown',
    region LowCardinality(String) COMMENT 'coarse: Region of the country',
    city LowCardinality(String) COMMENT 'coarse: Shown to an owner only from five visitors up',
    referrer_domain LowCardinality(String) COMMENT 'content: Domain or Android app that led here',
    channel LowCardinality(String) COMMENT 'operational: Kind of the referring domain'
)
ENGINE = {engine:MergeTree()}
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (account_id, link_id, occurred_at, event_id)
TTL toDateTime(occurred_at) + INTERVAL 25 MONTH DELETE
SETTINGS {dedup_settings}, fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Requests for share links. Kept: 25 months';

-- Where opens are inserted; stores nothing itself (see events_in).
CREATE TABLE IF NOT EXISTS {database}.opens_in {on_cluster} AS {database}.link_opens
ENGINE = Null;

ALTER TABLE {database}.opens_in {on_cluster} ADD COLUMN IF NOT EXISTS target LowCardinality(String);

ALTER TABLE {database}.opens_in {on_cluster} ADD COLUMN IF NOT EXISTS mark UUID;

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.link_opens_mv {on_cluster} TO {database}.link_opens AS
SELECT * EXCEPT (target, mark)
FROM {database}.opens_in
WHERE target IN ('', 'link_opens') AND mark = toUUID('00000000-0000-0000-0000-000000000000');
