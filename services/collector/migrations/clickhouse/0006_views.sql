-- The tables analysts read. Each filter on `day` reaches the sort key of the table beneath.

CREATE VIEW IF NOT EXISTS {database}.sessions {on_cluster}
(
    day Date COMMENT 'UTC day on which the session was opened; filter on it',
    session_id UUID COMMENT 'Id of the browser''s session',
    visit UInt32 COMMENT '1, or more when the same browser session went on after 30 minutes without activity',
    visitor_id UUID COMMENT 'Pseudonym of the visitor',
    started_at DateTime64(3, 'UTC') COMMENT 'First activity',
    ended_at DateTime64(3, 'UTC') COMMENT 'Last activity',
    duration_seconds Float64 COMMENT 'From first to last activity',
    page_views UInt64 COMMENT 'Pages viewed',
    clicks UInt64 COMMENT 'Clicks reported',
    custom_events UInt64 COMMENT 'Custom events reported',
    events UInt64 COMMENT 'All reports of the session, start and end included',
    entry_page String COMMENT 'First page seen',
    exit_page String COMMENT 'Last page seen',
    referrer_domain LowCardinality(String) COMMENT 'Domain that led here, empty when none',
    channel LowCardinality(String) COMMENT 'direct, search, social, email, referral, paid or internal',
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
    is_bounce UInt8 COMMENT '1 when at most one page was viewed and nothing was clicked or reported',
    is_bot UInt8 COMMENT '1 when a request looked automated',
    ended_explicitly UInt8 COMMENT '1 when the browser reported that the page was left'
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
    (last - start) / 1000 AS duration_seconds,
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
    device_class, browser, os,
    page_views <= 1 AND clicks + custom_events = 0 AS is_bounce,
    is_bot,
    arraySum(arrayFilter((n, f) -> f >= start AND f < next, all_ends, firsts)) > 0 AS ended_explicitly
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
        groupArray(s.ends) AS all_ends,
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
        max(s.is_bot) AS is_bot
    FROM {database}.sessions_agg AS s
    WHERE s.mark = toUUID('00000000-0000-0000-0000-000000000000')
    GROUP BY session_day, session_id
)
-- Only the number of visits is unfolded: what a question does not ask for is never computed.
ARRAY JOIN range(1, toUInt32(visits) + 1) AS number
COMMENT 'Sessions: 30 minutes without activity end one and begin the next';

CREATE VIEW IF NOT EXISTS {database}.page_views_daily {on_cluster}
(
    day Date COMMENT 'UTC day of the page view',
    page LowCardinality(String) COMMENT 'Path without query',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    page_views UInt64 COMMENT 'Page views',
    sessions UInt64 COMMENT 'Different browser sessions that viewed the page on this day',
    visitors UInt64 COMMENT 'Different visitors of the page on this day; do not add them up over days or pages'
)
AS SELECT
    p.day AS day, p.page AS page, p.is_bot AS is_bot,
    sum(p.page_views) AS page_views,
    uniqMerge(p.sessions) AS sessions,
    uniqMerge(p.visitors) AS visitors
FROM {database}.page_views_agg AS p
WHERE p.mark = toUUID('00000000-0000-0000-0000-000000000000')
GROUP BY day, page, is_bot
COMMENT 'Page views by day and page';

CREATE VIEW IF NOT EXISTS {database}.referrers_daily {on_cluster}
(
    day Date COMMENT 'UTC day on which the sessions were opened',
    channel LowCardinality(String) COMMENT 'direct, search, social, email, referral, paid or internal',
    referrer_domain LowCardinality(String) COMMENT 'Domain that led here, empty when none',
    utm_source LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    utm_medium LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    utm_campaign LowCardinality(String) COMMENT 'Campaign tag of the landing address',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    sessions UInt64 COMMENT 'Different browser sessions; adds up over days',
    visitors UInt64 COMMENT 'Different visitors on this day; do not add them up over days',
    page_views UInt64 COMMENT 'Page views of these sessions'
)
AS SELECT
    r.day AS day, r.channel AS channel, r.referrer_domain AS referrer_domain,
    r.utm_source AS utm_source, r.utm_medium AS utm_medium, r.utm_campaign AS utm_campaign,
    r.is_bot AS is_bot,
    uniqMerge(r.sessions) AS sessions,
    uniqMerge(r.visitors) AS visitors,
    sum(r.page_views) AS page_views
FROM {database}.referrers_agg AS r
WHERE r.mark = toUUID('00000000-0000-0000-0000-000000000000')
GROUP BY day, channel, referrer_domain, utm_source, utm_medium, utm_campaign, is_bot
COMMENT 'Where sessions came from, by day';

CREATE VIEW IF NOT EXISTS {database}.audience_daily {on_cluster}
(
    day Date COMMENT 'UTC day on which the sessions were opened',
    country LowCardinality(String) COMMENT 'ISO 3166-1 alpha-2, empty when unknown',
    device_class LowCardinality(String) COMMENT 'desktop, mobile, tablet, tv, console or other',
    is_bot UInt8 COMMENT '1 for requests that looked automated',
    sessions UInt64 COMMENT 'Different browser sessions; adds up over days',
    visitors UInt64 COMMENT 'Different visitors on this day; do not add them up over days',
    page_views UInt64 COMMENT 'Page views of these sessions'
)
AS SELECT
    a.day AS day, a.country AS country, a.device_class AS device_class, a.is_bot AS is_bot,
    uniqMerge(a.sessions) AS sessions,
    uniqMerge(a.visitors) AS visitors,
    sum(a.page_views) AS page_views
FROM {database}.audience_agg AS a
WHERE a.mark = toUUID('00000000-0000-0000-0000-000000000000')
GROUP BY day, country, device_class, is_bot
COMMENT 'Countries and devices, by day';

CREATE VIEW IF NOT EXISTS {database}.consent_daily {on_cluster}
(
    day Date COMMENT 'UTC',
    decision LowCardinality(String) COMMENT 'granted, withdrawn, rejected, dnt or gpc',
    method LowCardinality(String) COMMENT 'accept_all, reject_all, customise, dnt, gpc, or empty',
    decisions UInt64 COMMENT 'How many'
)
AS SELECT c.day AS day, c.label AS decision, c.detail AS method, sum(c.count) AS decisions
FROM {database}.counters_daily AS c
WHERE c.mark = toUUID('00000000-0000-0000-0000-000000000000') AND c.metric = 'consent'
GROUP BY day, decision, method
COMMENT 'Consent decisions by day';

CREATE VIEW IF NOT EXISTS {database}.drops {on_cluster}
(
    day Date COMMENT 'UTC',
    reason LowCardinality(String) COMMENT 'Why a report was refused, or stored with a mark',
    detail LowCardinality(String) COMMENT 'More about the reason, or empty',
    records UInt64 COMMENT 'How many'
)
AS SELECT c.day AS day, c.label AS reason, c.detail AS detail, sum(c.count) AS records
FROM {database}.counters_daily AS c
WHERE c.mark = toUUID('00000000-0000-0000-0000-000000000000') AND c.metric = 'drop'
GROUP BY day, reason, detail
COMMENT 'Reports that were not stored, or were marked, by day and reason';

CREATE VIEW IF NOT EXISTS {database}.visits_without_consent_daily {on_cluster}
(
    day Date COMMENT 'UTC',
    page LowCardinality(String) COMMENT 'Path without query',
    reason LowCardinality(String) COMMENT 'no_consent, dnt or gpc',
    sessions UInt64 COMMENT 'Sessions begun on the page',
    page_views UInt64 COMMENT 'Page views',
    clicks UInt64 COMMENT 'Clicks',
    custom_events UInt64 COMMENT 'Custom events',
    ends UInt64 COMMENT 'Sessions ended on the page'
)
AS SELECT
    c.day AS day, c.page AS page, c.label AS reason,
    sumIf(c.count, c.metric = 'session') AS sessions,
    sumIf(c.count, c.metric = 'page_view') AS page_views,
    sumIf(c.count, c.metric = 'click') AS clicks,
    sumIf(c.count, c.metric = 'custom') AS custom_events,
    sumIf(c.count, c.metric = 'session_end') AS ends
FROM {database}.counters_daily AS c
WHERE c.mark = toUUID('00000000-0000-0000-0000-000000000000')
  AND c.metric IN ('session', 'page_view', 'click', 'custom', 'session_end')
GROUP BY day, page, reason
COMMENT 'Visits of people who did not consent: numbers only';
