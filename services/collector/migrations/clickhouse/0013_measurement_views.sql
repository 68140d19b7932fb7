-- Views of what pages measure, where links lead, languages, and pages that do not exist. They read the
-- rows of `events` (its sort key begins with the day), so that there is no further table to keep right.

CREATE VIEW IF NOT EXISTS {database}.page_engagement_daily {on_cluster}
(
    day Date COMMENT 'UTC day of the use; filter on it',
    page LowCardinality(String) COMMENT 'Path without query',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    page_views UInt64 COMMENT 'Page views whose use was measured',
    engaged_seconds Float64 COMMENT 'Time for which the page was visible, in focus and in use, of all page views',
    median_engaged_seconds Float64 COMMENT 'The same of the median page view',
    scroll_depth Float64 COMMENT 'Mean of the greatest part of the page that a page view showed, in percent'
)
AS SELECT
    day, page, is_bot,
    count() AS page_views,
    sum(engaged_ms) / 1000 AS engaged_seconds,
    quantileExactInclusive(0.5)(engaged_ms) / 1000 AS median_engaged_seconds,
    avg(depth) AS scroll_depth
FROM
(
    -- A page that is hidden and shown again reports each time what was added since.
    SELECT
        toDate(e.occurred_at) AS day, e.page AS page, e.is_bot AS is_bot,
        sum(JSONExtractUInt(e.event_data, 'engagedMs')) AS engaged_ms,
        max(JSONExtractUInt(e.event_data, 'scrollDepth')) AS depth
    FROM {database}.events AS e
    WHERE e.kind = 'measurement' AND e.event_type = 'page_engagement'
    GROUP BY day, page, is_bot, e.session_id, JSONExtractString(e.event_data, 'pageView')
)
GROUP BY day, page, is_bot
COMMENT 'How long pages are in use and how far they are read, by day and page';

CREATE VIEW IF NOT EXISTS {database}.web_vitals {on_cluster}
(
    day Date COMMENT 'UTC day of the measurement; filter on it',
    page LowCardinality(String) COMMENT 'Path without query',
    device_class LowCardinality(String) COMMENT 'desktop, mobile, tablet, tv, console or other',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    metric String COMMENT 'LCP, CLS, INP, FCP or TTFB',
    value Float64 COMMENT 'Milliseconds; of CLS a number without unit',
    rating String COMMENT 'good, needs-improvement or poor'
)
AS SELECT
    toDate(e.occurred_at) AS day, e.page AS page, e.device_class AS device_class, e.is_bot AS is_bot,
    JSONExtractString(e.event_data, 'name') AS metric,
    JSONExtractFloat(e.event_data, 'value') AS value,
    JSONExtractString(e.event_data, 'rating') AS rating
FROM {database}.events AS e
WHERE e.kind = 'measurement' AND e.event_type = 'web_vital'
COMMENT 'Measured speed and stability of pages: one row for each page load and metric';

CREATE VIEW IF NOT EXISTS {database}.web_vitals_daily {on_cluster}
(
    day Date COMMENT 'UTC day of the measurement; filter on it',
    page LowCardinality(String) COMMENT 'Path without query',
    device_class LowCardinality(String) COMMENT 'desktop, mobile, tablet, tv, console or other',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    metric String COMMENT 'LCP, CLS, INP, FCP or TTFB',
    page_loads UInt64 COMMENT 'Page loads that measured it',
    p75 Float64 COMMENT 'Three of four page loads were at least as good: milliseconds; of CLS a number without unit',
    good UInt64 COMMENT 'Page loads rated good',
    needs_improvement UInt64 COMMENT 'Page loads rated needs-improvement',
    poor UInt64 COMMENT 'Page loads rated poor'
)
AS SELECT
    v.day AS day, v.page AS page, v.device_class AS device_class, v.is_bot AS is_bot, v.metric AS metric,
    count() AS page_loads,
    quantileExactInclusive(0.75)(v.value) AS p75,
    countIf(v.rating = 'good') AS good,
    countIf(v.rating = 'needs-improvement') AS needs_improvement,
    countIf(v.rating = 'poor') AS poor
FROM {database}.web_vitals AS v
GROUP BY day, page, device_class, is_bot, metric
COMMENT 'Speed and stability of pages by day, page and kind of device';

CREATE VIEW IF NOT EXISTS {database}.languages_daily {on_cluster}
(
    day Date COMMENT 'UTC day on which the sessions were opened; filter on it',
    page_language LowCardinality(String) COMMENT 'Language of the page on which the session began: en, he, or empty when unknown',
    browser_language LowCardinality(String) COMMENT 'First language of the browser, with its region if it has one; empty when unknown',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    sessions UInt64 COMMENT 'Different browser sessions; adds up over days',
    visitors UInt64 COMMENT 'Different visitors on this day; do not add them up over days',
    page_views UInt64 COMMENT 'Page views of these sessions'
)
AS SELECT
    day, page_language, browser_language, is_bot,
    count() AS sessions, uniq(visitor) AS visitors, sum(pages) AS page_views
FROM
(
    SELECT
        s.session_day AS day, s.session_id,
        max(s.visitor_id) AS visitor, sum(s.page_views) AS pages, max(s.is_bot) AS is_bot,
        max(s.page_language) AS page_language, max(s.browser_language) AS browser_language
    FROM {database}.sessions_agg AS s
    WHERE s.mark = toUUID('00000000-0000-0000-0000-000000000000')
    GROUP BY s.session_day, s.session_id
)
GROUP BY day, page_language, browser_language, is_bot
COMMENT 'Languages of pages and browsers, by day';

CREATE VIEW IF NOT EXISTS {database}.links_daily {on_cluster}
(
    day Date COMMENT 'UTC day of the click; filter on it',
    link LowCardinality(String) COMMENT 'outbound_link, file_download or contact_link',
    target String COMMENT 'Domain of another site; path of a file; mailto or tel',
    page LowCardinality(String) COMMENT 'Path of the page with the link',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    clicks UInt64 COMMENT 'Clicks',
    sessions UInt64 COMMENT 'Different browser sessions with such a click on this day'
)
AS SELECT
    toDate(e.occurred_at) AS day, e.event_type AS link,
    concat(JSONExtractString(e.event_data, 'domain'), JSONExtractString(e.event_data, 'path'),
        JSONExtractString(e.event_data, 'kind')) AS target,
    e.page AS page, e.is_bot AS is_bot,
    count() AS clicks, uniq(e.session_id) AS sessions
FROM {database}.events AS e
WHERE e.kind = 'custom' AND e.event_type IN ('outbound_link', 'file_download', 'contact_link')
GROUP BY day, link, target, page, is_bot
COMMENT 'Links to other sites, files and addresses that were followed, by day';

CREATE VIEW IF NOT EXISTS {database}.not_found_daily {on_cluster}
(
    day Date COMMENT 'UTC day of the page view; filter on it',
    page LowCardinality(String) COMMENT 'Path that does not exist',
    page_referrer LowCardinality(String) COMMENT 'Path of the own page, or domain of another, with the link; empty when unknown',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    page_views UInt64 COMMENT 'Page views',
    sessions UInt64 COMMENT 'Different browser sessions on this day'
)
AS SELECT
    toDate(e.occurred_at) AS day, e.page AS page, e.page_referrer AS page_referrer, e.is_bot AS is_bot,
    count() AS page_views, uniq(e.session_id) AS sessions
FROM {database}.events AS e
WHERE e.kind = 'page_view' AND e.not_found = 1
GROUP BY day, page, page_referrer, is_bot
COMMENT 'Page views of pages that do not exist, by day';

-- What servers of the site report without a visit session: a number for each type of event.
CREATE VIEW IF NOT EXISTS {database}.server_events_daily {on_cluster}
(
    day Date COMMENT 'UTC',
    event_type LowCardinality(String) COMMENT 'Type of the event',
    events UInt64 COMMENT 'How many'
)
AS SELECT c.day AS day, c.label AS event_type, sum(c.count) AS events
FROM {database}.counters_daily AS c
WHERE c.mark = toUUID('00000000-0000-0000-0000-000000000000') AND c.metric = 'server_event'
GROUP BY day, event_type
COMMENT 'Events of servers that belong to no visit session, by day';

ALTER TABLE {database}.counters_daily {on_cluster}
    COMMENT COLUMN metric 'operational: session, page_view, click, custom, session_end, server_event, consent or drop',
    COMMENT COLUMN label 'operational: Reason, decision or type of a server''s event';
