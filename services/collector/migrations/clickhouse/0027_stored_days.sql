-- Visits and page views of days that are over, as rows that questions can count at once: what is the same for every
-- question (the visits of a session, the page before a page) is computed once for each day, and not by each question.
-- A day that is not stored here is computed when it is asked for, so that every answer is complete without these
-- tables. The collector's worker stores days, and again those of which more has arrived (store-days.ts).
-- An erasure drops the days on which the visitor was here; they are stored anew without them.
--
-- One partition is one day: it is replaced and dropped as a whole. The tables `_next` hold a day only while
-- it is being stored. Equal rows are stored again on purpose, so that there is no deduplication.
CREATE TABLE IF NOT EXISTS {database}.stored_sessions {on_cluster}
(
    day Date COMMENT 'operational: UTC day on which the visit session was opened',
    session_id UUID COMMENT 'pseudonym: Identifies the visit session' CODEC(ZSTD(1)),
    visit UInt32 COMMENT 'operational: Number of the visit within the browser''s session',
    visitor_id UUID COMMENT 'pseudonym: Keyed pseudonym of the anonymous id' CODEC(ZSTD(1)),
    started_at DateTime('UTC') COMMENT 'operational: First activity' CODEC(Delta, ZSTD(1)),
    ended_at DateTime('UTC') COMMENT 'operational: Last activity' CODEC(Delta, ZSTD(1)),
    duration_seconds Float64 COMMENT 'operational: From the first to the last activity' CODEC(ZSTD(1)),
    engaged_seconds Float64 COMMENT 'operational: Time for which pages were in use' CODEC(ZSTD(1)),
    scroll_depth UInt8 COMMENT 'operational: Greatest part of a page that was seen, in percent',
    page_views UInt64 COMMENT 'operational: Number of page views' CODEC(ZSTD(1)),
    clicks UInt64 COMMENT 'operational: Number of clicks' CODEC(ZSTD(1)),
    custom_events UInt64 COMMENT 'operational: Number of custom events' CODEC(ZSTD(1)),
    events UInt64 COMMENT 'operational: Number of events of any kind' CODEC(ZSTD(1)),
    entry_page LowCardinality(String) COMMENT 'content: First page',
    exit_page LowCardinality(String) COMMENT 'content: Last page',
    referrer_domain LowCardinality(String) COMMENT 'content: Domain that led to the visit session',
    channel LowCardinality(String) COMMENT 'operational: How the visitor arrived',
    utm_source LowCardinality(String) COMMENT 'content: Campaign tag of the arrival',
    utm_medium LowCardinality(String) COMMENT 'content: Campaign tag of the arrival',
    utm_campaign LowCardinality(String) COMMENT 'content: Campaign tag of the arrival',
    country LowCardinality(String) COMMENT 'coarse: From the address, which is dropped at once',
    region LowCardinality(String) COMMENT 'coarse: From the address, which is dropped at once',
    device_class LowCardinality(String) COMMENT 'coarse: Kind of device',
    browser LowCardinality(String) COMMENT 'coarse: Family of the browser',
    os LowCardinality(String) COMMENT 'coarse: Family of the operating system',
    page_language LowCardinality(String) COMMENT 'coarse: Language of the page on which the visit session began',
    browser_language LowCardinality(String) COMMENT 'coarse: First language of the browser, with its region',
    is_bounce UInt8 COMMENT 'operational: 1 for one page and nothing clicked or reported',
    is_bot UInt8 COMMENT 'operational: Whether a request looked automated'
)
ENGINE = {engine:MergeTree()}
PARTITION BY day
ORDER BY (is_bot, visitor_id, session_id, visit)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE
COMMENT 'Visit sessions of days that are over. Kept: 25 months, by TTL';

CREATE TABLE IF NOT EXISTS {database}.stored_sessions_next {on_cluster}
(
    day Date COMMENT 'operational: UTC day on which the visit session was opened',
    session_id UUID COMMENT 'pseudonym: Identifies the visit session' CODEC(ZSTD(1)),
    visit UInt32 COMMENT 'operational: Number of the visit within the browser''s session',
    visitor_id UUID COMMENT 'pseudonym: Keyed pseudonym of the anonymous id' CODEC(ZSTD(1)),
    started_at DateTime('UTC') COMMENT 'operational: First activity' CODEC(Delta, ZSTD(1)),
    ended_at DateTime('UTC') COMMENT 'operational: Last activity' CODEC(Delta, ZSTD(1)),
    duration_seconds Float64 COMMENT 'operational: From the first to the last activity' CODEC(ZSTD(1)),
    engaged_seconds Float64 COMMENT 'operational: Time for which pages were in use' CODEC(ZSTD(1)),
    scroll_depth UInt8 COMMENT 'operational: Greatest part of a page that was seen, in percent',
    page_views UInt64 COMMENT 'operational: Number of page views' CODEC(ZSTD(1)),
    clicks UInt64 COMMENT 'operational: Number of clicks' CODEC(ZSTD(1)),
    custom_events UInt64 COMMENT 'operational: Number of custom events' CODEC(ZSTD(1)),
    events UInt64 COMMENT 'operational: Number of events of any kind' CODEC(ZSTD(1)),
    entry_page LowCardinality(String) COMMENT 'content: First page',
    exit_page LowCardinality(String) COMMENT 'content: Last page',
    referrer_domain LowCardinality(String) COMMENT 'content: Domain that led to the visit session',
    channel LowCardinality(String) COMMENT 'operational: How the visitor arrived',
    utm_source LowCardinality(String) COMMENT 'content: Campaign tag of the arrival',
    utm_medium LowCardinality(String) COMMENT 'content: Campaign tag of the arrival',
    utm_campaign LowCardinality(String) COMMENT 'content: Campaign tag of the arrival',
    country LowCardinality(String) COMMENT 'coarse: From the address, which is dropped at once',
    region LowCardinality(String) COMMENT 'coarse: From the address, which is dropped at once',
    device_class LowCardinality(String) COMMENT 'coarse: Kind of device',
    browser LowCardinality(String) COMMENT 'coarse: Family of the browser',
    os LowCardinality(String) COMMENT 'coarse: Family of the operating system',
    page_language LowCardinality(String) COMMENT 'coarse: Language of the page on which the visit session began',
    browser_language LowCardinality(String) COMMENT 'coarse: First language of the browser, with its region',
    is_bounce UInt8 COMMENT 'operational: 1 for one page and nothing clicked or reported',
    is_bot UInt8 COMMENT 'operational: Whether a request looked automated'
)
ENGINE = {engine:MergeTree()}
PARTITION BY day
ORDER BY (is_bot, visitor_id, session_id, visit)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE
COMMENT 'Visit sessions of a day while it is being stored. Kept: until it is stored';

-- Sorted by page: the views of a few pages are read without the others.
CREATE TABLE IF NOT EXISTS {database}.stored_page_views {on_cluster}
(
    day Date COMMENT 'operational: UTC day',
    visitor_id UUID COMMENT 'pseudonym: Keyed pseudonym of the anonymous id' CODEC(ZSTD(1)),
    session_id UUID COMMENT 'pseudonym: Identifies the visit session' CODEC(ZSTD(1)),
    occurred_at DateTime('UTC') COMMENT 'operational: When it happened' CODEC(Delta, ZSTD(1)),
    page LowCardinality(String) COMMENT 'content: Path, without query and fragment',
    path LowCardinality(String) COMMENT 'content: Page before it in the same session and day, an arrow, and the page; empty where there is no other',
    is_bot UInt8 COMMENT 'operational: Whether the request looked automated',
    INDEX of_visitor visitor_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:MergeTree()}
PARTITION BY day
ORDER BY (is_bot, page, path, visitor_id, occurred_at)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE
COMMENT 'Page views of days that are over. Kept: 25 months, by TTL';

CREATE TABLE IF NOT EXISTS {database}.stored_page_views_next {on_cluster}
(
    day Date COMMENT 'operational: UTC day',
    visitor_id UUID COMMENT 'pseudonym: Keyed pseudonym of the anonymous id' CODEC(ZSTD(1)),
    session_id UUID COMMENT 'pseudonym: Identifies the visit session' CODEC(ZSTD(1)),
    occurred_at DateTime('UTC') COMMENT 'operational: When it happened' CODEC(Delta, ZSTD(1)),
    page LowCardinality(String) COMMENT 'content: Path, without query and fragment',
    path LowCardinality(String) COMMENT 'content: Page before it in the same session and day, an arrow, and the page; empty where there is no other',
    is_bot UInt8 COMMENT 'operational: Whether the request looked automated',
    INDEX of_visitor visitor_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = {engine:MergeTree()}
PARTITION BY day
ORDER BY (is_bot, page, path, visitor_id, occurred_at)
TTL toDateTime(day) + INTERVAL 25 MONTH DELETE
COMMENT 'Page views of a day while it is being stored. Kept: until it is stored';

CREATE VIEW IF NOT EXISTS {database}.sessions_to_store {on_cluster} AS
SELECT
    s.day AS day, s.session_id AS session_id, s.visit AS visit, s.visitor_id AS visitor_id,
    toDateTime(s.started_at, 'UTC') AS started_at, toDateTime(s.ended_at, 'UTC') AS ended_at,
    s.duration_seconds AS duration_seconds, s.engaged_seconds AS engaged_seconds,
    toUInt8(s.scroll_depth) AS scroll_depth, s.page_views AS page_views, s.clicks AS clicks,
    s.custom_events AS custom_events, s.events AS events, toLowCardinality(s.entry_page) AS entry_page,
    toLowCardinality(s.exit_page) AS exit_page, s.referrer_domain AS referrer_domain, s.channel AS channel,
    s.utm_source AS utm_source, s.utm_medium AS utm_medium, s.utm_campaign AS utm_campaign, s.country AS country,
    toLowCardinality(s.region) AS region, s.device_class AS device_class, s.browser AS browser, s.os AS os,
    s.page_language AS page_language, s.browser_language AS browser_language, toUInt8(s.is_bounce) AS is_bounce,
    toUInt8(s.is_bot) AS is_bot
FROM {database}.sessions AS s
COMMENT 'Visit sessions of any day, as stored_sessions has them';

CREATE VIEW IF NOT EXISTS {database}.page_views_to_store {on_cluster} AS
SELECT
    day, visitor_id, session_id,
    toDateTime(view.1, 'UTC') AS occurred_at,
    toLowCardinality(view.3) AS page,
    toLowCardinality(if(previous IN ('', view.3), '', concat(previous, ' → ', view.3))) AS path,
    is_bot
FROM
(
    SELECT
        toDate(e.occurred_at) AS day, e.visitor_id AS visitor_id, e.session_id AS session_id, e.is_bot AS is_bot,
        arraySort(groupArray((e.occurred_at, e.event_id, toString(e.page)))) AS views
    FROM {database}.events AS e
    WHERE e.kind = 'page_view'
    GROUP BY day, visitor_id, session_id, is_bot
)
ARRAY JOIN views AS view, arrayPushFront(arrayPopBack(views.3), '') AS previous
COMMENT 'Page views of any day, as stored_page_views has them';

CREATE VIEW IF NOT EXISTS {database}.sessions_by_day {on_cluster} AS
SELECT
    day, session_id, visit, visitor_id, started_at, ended_at, duration_seconds, engaged_seconds, scroll_depth,
    page_views, clicks, custom_events, entry_page, exit_page, referrer_domain, channel, utm_source, utm_medium,
    utm_campaign, country, region, device_class, browser, os, page_language, browser_language, is_bounce, is_bot
FROM
(
    SELECT * FROM {database}.stored_sessions
    UNION ALL
    SELECT * FROM {database}.sessions_to_store
    WHERE day NOT IN (SELECT d.day FROM {database}.stored_sessions AS d GROUP BY d.day HAVING count() > 0)
)
COMMENT 'Visits of all days, stored ones and others';

CREATE VIEW IF NOT EXISTS {database}.page_views_by_day {on_cluster} AS
SELECT
    day, visitor_id, session_id, occurred_at, page, path, is_bot
FROM
(
    SELECT * FROM {database}.stored_page_views
    UNION ALL
    SELECT * FROM {database}.page_views_to_store
    WHERE day NOT IN (SELECT d.day FROM {database}.stored_page_views AS d GROUP BY d.day HAVING count() > 0)
)
COMMENT 'Page views of all days, stored ones and others';

-- For the ready-made questions, which count visitors and name none: half of an id is enough to
-- distinguish them, and is counted in half of the time.
CREATE VIEW IF NOT EXISTS {database}.counted_sessions {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT * REPLACE (reinterpretAsUInt64(visitor_id) AS visitor_id)
FROM {database}.sessions_by_day
COMMENT 'Visits, for questions that count visitors and name none';

CREATE VIEW IF NOT EXISTS {database}.counted_page_views {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT * REPLACE (reinterpretAsUInt64(visitor_id) AS visitor_id)
FROM {database}.page_views_by_day
COMMENT 'Page views, for questions that count visitors and name none';

-- Ids are made anew under the key of the analyst who asks by a keyed hash (SipHash, 128 bits), which takes a tenth of
-- the time of SHA-256: it is made for each row.
CREATE OR REPLACE VIEW {database}.analyst_sessions {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
WITH
    (
        reinterpretAsUInt64(unhex(substring({_pseudonym_key:String}, 1, 16))),
        reinterpretAsUInt64(unhex(substring({_pseudonym_key:String}, 17, 16)))
    ) AS key
SELECT
    c.day AS day,
    reinterpretAsUUID(sipHash128Keyed(key, 's', c.session_id)) AS session_id,
    c.visit AS visit,
    reinterpretAsUUID(sipHash128Keyed(key, 'v', c.visitor_id)) AS visitor_id,
    c.started_at AS started_at, c.ended_at AS ended_at, round(c.duration_seconds) AS duration_seconds,
    round(c.engaged_seconds, 1) AS engaged_seconds, c.scroll_depth AS scroll_depth, c.page_views AS page_views,
    c.clicks AS clicks, c.custom_events AS custom_events, CAST(c.entry_page, 'String') AS entry_page,
    CAST(c.exit_page, 'String') AS exit_page, c.referrer_domain AS referrer_domain, c.channel AS channel,
    c.utm_source AS utm_source, c.utm_medium AS utm_medium, c.utm_campaign AS utm_campaign, c.country AS country,
    CAST(c.region, 'String') AS region, c.device_class AS device_class, c.browser AS browser, c.os AS os,
    c.page_language AS page_language, c.browser_language AS browser_language, c.is_bounce AS is_bounce,
    c.is_bot AS is_bot
FROM {database}.sessions_by_day AS c
COMMENT 'Visits as an analyst sees them';

CREATE VIEW IF NOT EXISTS {database}.analyst_page_views {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
WITH
    (
        reinterpretAsUInt64(unhex(substring({_pseudonym_key:String}, 1, 16))),
        reinterpretAsUInt64(unhex(substring({_pseudonym_key:String}, 17, 16)))
    ) AS key
SELECT
    c.day AS day,
    reinterpretAsUUID(sipHash128Keyed(key, 'v', c.visitor_id)) AS visitor_id,
    reinterpretAsUUID(sipHash128Keyed(key, 's', c.session_id)) AS session_id,
    c.occurred_at AS occurred_at, c.page AS page, c.path AS path, c.is_bot AS is_bot
FROM {database}.page_views_by_day AS c
COMMENT 'Page views as an analyst sees them';

CREATE OR REPLACE VIEW {database}.analyst_events {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
WITH
    (
        reinterpretAsUInt64(unhex(substring({_pseudonym_key:String}, 1, 16))),
        reinterpretAsUInt64(unhex(substring({_pseudonym_key:String}, 17, 16)))
    ) AS key
SELECT
    toDate(e.occurred_at) AS day,
    reinterpretAsUUID(sipHash128Keyed(key, 's', e.session_id)) AS session_id,
    reinterpretAsUUID(sipHash128Keyed(key, 'v', e.visitor_id)) AS visitor_id,
    toDateTime(e.occurred_at, 'UTC') AS occurred_at,
    e.kind AS kind, e.event_type AS event_type, e.page AS page, e.page_referrer AS page_referrer,
    e.not_found AS not_found, e.element AS element, e.element_category AS element_category,
    e.event_data AS event_data, e.channel AS channel, e.country AS country, e.device_class AS device_class,
    e.is_bot AS is_bot
FROM {database}.events AS e
WHERE e.kind != 'measurement'
COMMENT 'Events as an analyst sees them';
