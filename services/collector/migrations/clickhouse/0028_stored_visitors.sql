-- Different visitors of days that are over, counted in advance and without ids. Different visitors do not add up over
-- days, but those do who were not here before: each row states since how many days its visitors have not been counted
-- under the same value. Over any range of days, visitors are different who were counted under it last before the range, so that
-- questions add up numbers. An erasure drops the days on which the visitor was here from this table too, and
-- the collector's worker counts them again (store-days.ts).
CREATE TABLE IF NOT EXISTS {database}.stored_visitors {on_cluster}
(
    day Date COMMENT 'operational: UTC day',
    property LowCardinality(String) COMMENT 'operational: Property of visits (channel, campaign, entry_page, exit_page) or of page views (page, path)',
    is_all UInt8 COMMENT 'operational: 1 for all values of the property together',
    value LowCardinality(String) COMMENT 'content: Value of the property; empty for all together',
    days_since UInt16 COMMENT 'operational: Days since the same visitors were counted under it before; 65535 if not within 400 days',
    visitors UInt64 COMMENT 'operational: Different visitors of the day' CODEC(ZSTD(1)),
    amount UInt64 COMMENT 'operational: Their visits or page views' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree()}
PARTITION BY day
ORDER BY (property, is_all, value, days_since)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE
COMMENT 'Numbers of different visitors of days that are over. Kept: 25 months, by TTL';

CREATE TABLE IF NOT EXISTS {database}.stored_visitors_next {on_cluster} AS {database}.stored_visitors
ENGINE = {engine:MergeTree()}
PARTITION BY day
ORDER BY (property, is_all, value, days_since)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE
COMMENT 'Numbers of different visitors of a day while it is being stored. Kept: until it is stored';

-- Of visitors who were here on the day, all days before are looked at that a question may include.
CREATE VIEW IF NOT EXISTS {database}.visitors_to_store {on_cluster} AS
SELECT
    {day:Date} AS day, counted.1 AS property, counted.2 AS is_all, counted.3 AS value,
    toUInt16(if(before = toDate(0), 65535, {day:Date} - before)) AS days_since,
    count() AS visitors, sum(own) AS amount
FROM
(
    SELECT
        arrayJoin(arrayConcat(
            arrayMap(v -> (v.1, toUInt8(0), v.2), seen.values), arrayMap(v -> (v.1, toUInt8(1), ''), seen.values)
        )) AS counted,
        countIf(seen.day = {day:Date}) AS own,
        maxIf(seen.day, seen.day < {day:Date}) AS before
    FROM
    (
        SELECT
            s.day AS day, s.visitor_id AS visitor_id,
            arrayFilter(v -> v.1 = 'channel' OR v.2 != '', [
                ('channel', toString(s.channel)), ('campaign', toString(s.utm_campaign)),
                ('entry_page', toString(s.entry_page)), ('exit_page', toString(s.exit_page))
            ]) AS values
        FROM {database}.sessions_by_day AS s
        WHERE s.is_bot = 0 AND s.day BETWEEN {day:Date} - 399 AND {day:Date} AND s.visitor_id GLOBAL IN (
            SELECT t.visitor_id FROM {database}.sessions_by_day AS t WHERE t.day = {day:Date} AND t.is_bot = 0)
        UNION ALL
        SELECT
            p.day AS day, p.visitor_id AS visitor_id,
            arrayFilter(v -> v.1 = 'page' OR v.2 != '', [
                ('page', toString(p.page)), ('path', toString(p.path))
            ]) AS values
        FROM {database}.page_views_by_day AS p
        WHERE p.is_bot = 0 AND p.day BETWEEN {day:Date} - 399 AND {day:Date} AND p.visitor_id GLOBAL IN (
            SELECT t.visitor_id FROM {database}.page_views_by_day AS t WHERE t.day = {day:Date} AND t.is_bot = 0)
    ) AS seen
    GROUP BY counted, seen.visitor_id
    HAVING own > 0
)
GROUP BY property, is_all, value, days_since
COMMENT 'Different visitors of one day, as stored_visitors has them';

-- Days of which something is not counted in advance: a question about one of them counts rows.
CREATE VIEW IF NOT EXISTS {database}.uncounted_days {on_cluster} AS
SELECT counted.day AS day
FROM
(
    SELECT s.day AS day, toInt64(count()) AS rows FROM {database}.stored_sessions AS s WHERE s.is_bot = 0 GROUP BY day
    UNION ALL
    SELECT p.day AS day, toInt64(count()) AS rows FROM {database}.stored_page_views AS p WHERE p.is_bot = 0 GROUP BY day
    UNION ALL
    SELECT v.day AS day, -toInt64(sum(v.amount)) AS rows FROM {database}.stored_visitors AS v
    WHERE v.is_all = 1 AND v.property IN ('channel', 'page') GROUP BY day
) AS counted
GROUP BY day
HAVING sum(counted.rows) != 0
UNION ALL
SELECT a.session_day AS day
FROM {database}.sessions_agg AS a
WHERE a.mark = toUUID('00000000-0000-0000-0000-000000000000')
    AND a.session_day GLOBAL NOT IN (SELECT d.day FROM {database}.stored_sessions AS d GROUP BY d.day)
GROUP BY day
UNION ALL
SELECT toDate(e.occurred_at) AS day
FROM {database}.events AS e
WHERE e.kind = 'page_view'
    AND toDate(e.occurred_at) GLOBAL NOT IN (SELECT d.day FROM {database}.stored_page_views AS d GROUP BY d.day)
GROUP BY day
COMMENT 'Days whose visitors are not counted in advance';

CREATE VIEW IF NOT EXISTS {database}.analyst_visitors_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT v.day AS day, v.property AS property, v.is_all AS is_all, v.value AS value, v.days_since AS days_since,
    v.visitors AS visitors, v.amount AS amount
FROM {database}.stored_visitors AS v
COMMENT 'Different visitors of days that are over, as analysts see them';
