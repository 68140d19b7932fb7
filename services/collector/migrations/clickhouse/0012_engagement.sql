-- How long pages are in use and how far they are read, in which languages, and which do not exist.
-- Measurements are rows of their own kind: they say how a page was used or how fast it was, and are
-- no actions of the visitor that would count as custom events, make a bounce none, or undo the end of
-- a page: browsers report them last.

ALTER TABLE {database}.events {on_cluster}
    ADD COLUMN IF NOT EXISTS not_found UInt8 AFTER page,
    ADD COLUMN IF NOT EXISTS page_language LowCardinality(String) AFTER connection_type,
    ADD COLUMN IF NOT EXISTS browser_language LowCardinality(String) AFTER page_language;

ALTER TABLE {database}.events_in {on_cluster}
    ADD COLUMN IF NOT EXISTS not_found UInt8 AFTER page,
    ADD COLUMN IF NOT EXISTS page_language LowCardinality(String) AFTER connection_type,
    ADD COLUMN IF NOT EXISTS browser_language LowCardinality(String) AFTER page_language;

ALTER TABLE {database}.events_mv {on_cluster} MODIFY QUERY
SELECT * EXCEPT (target, mark)
FROM {database}.events_in
WHERE target IN ('', 'events') AND mark = toUUID('00000000-0000-0000-0000-000000000000');

ALTER TABLE {database}.sessions_agg {on_cluster}
    ADD COLUMN IF NOT EXISTS last_action_at SimpleAggregateFunction(max, Int64) DEFAULT last_at AFTER last_end_at,
    ADD COLUMN IF NOT EXISTS engaged_ms SimpleAggregateFunction(sum, UInt64),
    ADD COLUMN IF NOT EXISTS scroll_depth SimpleAggregateFunction(max, UInt8),
    ADD COLUMN IF NOT EXISTS page_language SimpleAggregateFunction(max, LowCardinality(String)),
    ADD COLUMN IF NOT EXISTS browser_language SimpleAggregateFunction(max, LowCardinality(String));

ALTER TABLE {database}.sessions_mv {on_cluster} MODIFY QUERY
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
    maxIf(toUnixTimestamp64Milli(e.occurred_at), e.kind = 'session_end') AS last_end_at,
    maxIf(toUnixTimestamp64Milli(e.occurred_at), e.kind != 'measurement') AS last_action_at,
    min(if(e.page != '' AND e.kind != 'measurement',
        (toUnixTimestamp64Milli(e.occurred_at), toString(e.page)),
        (toInt64(4611686018427387904), ''))) AS first_page,
    max(if(e.page != '' AND e.kind != 'measurement',
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
    max(e.is_bot) AS is_bot,
    sum(if(e.kind = 'measurement' AND e.event_type = 'page_engagement',
        JSONExtractUInt(e.event_data, 'engagedMs'), 0)) AS engaged_ms,
    max(if(e.kind = 'measurement' AND e.event_type = 'page_engagement',
        toUInt8(JSONExtractUInt(e.event_data, 'scrollDepth')), 0)) AS scroll_depth,
    max(e.page_language) AS page_language,
    max(e.browser_language) AS browser_language
FROM {database}.events_in AS e
WHERE e.target IN ('', 'sessions_agg')
GROUP BY mark, session_day, session_id, bucket;

CREATE OR REPLACE VIEW {database}.sessions {on_cluster}
(
    day Date COMMENT 'UTC day on which the session was opened; filter on it',
    session_id UUID COMMENT 'Id of the browser''s session',
    visit UInt32 COMMENT '1, or more when the same browser session went on after 30 minutes without activity',
    visitor_id UUID COMMENT 'Pseudonym of the visitor',
    started_at DateTime64(3, 'UTC') COMMENT 'First activity',
    ended_at DateTime64(3, 'UTC') COMMENT 'Last activity',
    duration_seconds Float64 COMMENT 'From first to last activity; of a single page, the engaged time if it was measured',
    engaged_seconds Float64 COMMENT 'Time for which pages were visible, in focus and in use',
    scroll_depth UInt8 COMMENT 'Greatest part of a page that was seen, in percent',
    page_views UInt64 COMMENT 'Pages viewed',
    clicks UInt64 COMMENT 'Clicks reported',
    custom_events UInt64 COMMENT 'Custom events reported',
    events UInt64 COMMENT 'All reports of the session, start and end included',
    entry_page String COMMENT 'First page seen',
    exit_page String COMMENT 'Last page seen',
    referrer_domain LowCardinality(String) COMMENT 'Domain or Android app that led here, empty when none',
    channel LowCardinality(String) COMMENT 'direct, search, social, email, assistant, referral, paid or internal',
    utm_source LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    utm_medium LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    utm_campaign LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    utm_term LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    utm_content LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    country LowCardinality(String) COMMENT 'ISO 3166-1 alpha-2, empty when unknown',
    region String COMMENT 'Region, empty when unknown',
    city String COMMENT 'City, empty when unknown',
    device_class LowCardinality(String) COMMENT 'desktop, mobile, tablet, tv, console or other',
    browser LowCardinality(String) COMMENT 'Browser family',
    os LowCardinality(String) COMMENT 'Operating system family',
    page_language LowCardinality(String) COMMENT 'Language of the page on which the session began: en, he, or empty when unknown',
    browser_language LowCardinality(String) COMMENT 'First language of the browser, with its region if it has one; empty when unknown',
    is_bounce UInt8 COMMENT '1 when at most one page was viewed and nothing was clicked or reported',
    is_bot UInt8 COMMENT '1 when a request looked automated',
    ended_explicitly UInt8 COMMENT '1 when the last report, measurements apart, was that the page was left'
)
AS WITH
    starts[number] AS start,
    if(number < visits, starts[number + 1], toInt64(4611686018427387904)) AS next,
    arrayMax(arrayFilter(m -> m >= start AND m < next, moments)) AS last
SELECT
    session_day AS day,
    session_id,
    number AS visit,
    visitor_id,
    fromUnixTimestamp64Milli(start, 'UTC') AS started_at,
    fromUnixTimestamp64Milli(last, 'UTC') AS ended_at,
    if(page_views <= 1 AND engaged_seconds > 0, engaged_seconds, (last - start) / 1000) AS duration_seconds,
    arraySum(arrayFilter((n, f) -> f >= start AND f < next, all_engaged_ms, firsts)) / 1000 AS engaged_seconds,
    arrayMax(arrayPushBack(
        arrayFilter((n, f) -> f >= start AND f < next, all_scroll_depths, firsts), 0)) AS scroll_depth,
    arraySum(arrayFilter((n, f) -> f >= start AND f < next, all_page_views, firsts)) AS page_views,
    arraySum(arrayFilter((n, f) -> f >= start AND f < next, all_clicks, firsts)) AS clicks,
    arraySum(arrayFilter((n, f) -> f >= start AND f < next, all_custom_events, firsts)) AS custom_events,
    arraySum(arrayFilter((n, f) -> f >= start AND f < next, all_events, firsts)) AS events,
    arrayMin(arrayPushBack(
        arrayFilter(p -> p.1 >= start AND p.1 < next, first_pages),
        (toInt64(4611686018427387904), ''))).2 AS entry_page,
    arrayMax(arrayPushBack(
        arrayFilter(p -> p.1 >= start AND p.1 < next, last_pages),
        (toInt64(0), ''))).2 AS exit_page,
    referrer_domain, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    country,
    splitByChar('\t', place)[2] AS region,
    splitByChar('\t', place)[3] AS city,
    device_class, browser, os, page_language, browser_language,
    page_views <= 1 AND clicks + custom_events = 0 AS is_bounce,
    is_bot,
    has(last_ends, arrayMax(arrayPushBack(
        arrayFilter(m -> m >= start AND m < next, last_actions), toInt64(-1)))) AS ended_explicitly
FROM
(
    SELECT
        session_day,
        session_id,
        groupArray(s.first_at) AS firsts,
        -- All first and last moments, and how many pauses between them end a visit.
        arraySort(arrayConcat(firsts, groupArray(s.last_at))) AS moments,
        arrayDifference(moments) AS pauses,
        1 + arrayCount(pause -> pause >= 1800000, pauses) AS visits,
        arrayPushFront(
            arrayFilter((m, pause) -> pause >= 1800000, moments, pauses), moments[1]) AS starts,
        groupArray(s.page_views) AS all_page_views,
        groupArray(s.clicks) AS all_clicks,
        groupArray(s.custom_events) AS all_custom_events,
        groupArray(s.events) AS all_events,
        groupArray(s.last_end_at) AS last_ends,
        groupArray(s.last_action_at) AS last_actions,
        groupArray(s.engaged_ms) AS all_engaged_ms,
        groupArray(s.scroll_depth) AS all_scroll_depths,
        groupArray(s.first_page) AS first_pages,
        groupArray(s.last_page) AS last_pages,
        max(s.visitor_id) AS visitor_id,
        max(s.referrer_domain) AS referrer_domain,
        max(s.channel) AS channel,
        max(s.utm_source) AS utm_source,
        max(s.utm_medium) AS utm_medium,
        max(s.utm_campaign) AS utm_campaign,
        max(s.utm_term) AS utm_term,
        max(s.utm_content) AS utm_content,
        max(s.country) AS country,
        max(s.place) AS place,
        max(s.device_class) AS device_class,
        max(s.browser) AS browser,
        max(s.os) AS os,
        max(s.page_language) AS page_language,
        max(s.browser_language) AS browser_language,
        max(s.is_bot) AS is_bot
    FROM {database}.sessions_agg AS s
    WHERE s.mark = toUUID('00000000-0000-0000-0000-000000000000')
    GROUP BY session_day, session_id
)
-- Only the number of visits is unfolded: what a question does not ask for is never computed.
ARRAY JOIN range(1, toUInt32(visits) + 1) AS number
COMMENT 'Sessions: 30 minutes without activity end one and begin the next';

ALTER TABLE {database}.events {on_cluster}
    COMMENT COLUMN kind 'operational: session_start, page_view, click, custom, measurement or session_end',
    COMMENT COLUMN event_type 'content: Name of a custom event, scrubbed; page_engagement or web_vital of a measurement; else empty',
    COMMENT COLUMN event_data 'content: JSON text of a custom event or a measurement, bounded, scrubbed in its values and names',
    COMMENT COLUMN not_found 'operational: Of a page view, whether the site has no such page',
    COMMENT COLUMN page_language 'coarse: Of a session''s start, the language of the page: en, he, or empty when unknown',
    COMMENT COLUMN browser_language 'coarse: Of a session''s start, the first language of the browser with its region, empty when unknown';

ALTER TABLE {database}.sessions_agg {on_cluster}
    COMMENT COLUMN last_action_at 'operational: Last moment of a report that is no measurement, ms since 1970; 0 when none',
    COMMENT COLUMN engaged_ms 'operational: Milliseconds for which pages were visible, in focus and in use',
    COMMENT COLUMN scroll_depth 'operational: Greatest part of a page that was seen, in percent',
    COMMENT COLUMN page_language 'coarse: Language of the page on which the visit session began',
    COMMENT COLUMN browser_language 'coarse: First language of the browser, with its region';
