-- What analysts may read. Each view reads with the rights of the migrations' user, so that a user of an analyst
-- needs no right on any table. Ids of visitors and sessions are made anew under the key of the analyst who asks,
-- and times are whole seconds, so that no row matches anything outside this database.
CREATE VIEW IF NOT EXISTS {database}.analyst_sessions {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    s.day AS day,
    reinterpretAsUUID(substring(SHA256(concat({_pseudonym_key:String}, 's', toString(s.session_id))), 1, 16)) AS session_id,
    s.visit AS visit,
    reinterpretAsUUID(substring(SHA256(concat({_pseudonym_key:String}, 'v', toString(s.visitor_id))), 1, 16)) AS visitor_id,
    toDateTime(s.started_at, 'UTC') AS started_at,
    toDateTime(s.ended_at, 'UTC') AS ended_at,
    round(s.duration_seconds) AS duration_seconds, round(s.engaged_seconds, 1) AS engaged_seconds,
    toUInt8(s.scroll_depth) AS scroll_depth, s.page_views AS page_views, s.clicks AS clicks, s.custom_events AS custom_events,
    s.entry_page AS entry_page, s.exit_page AS exit_page,
    s.referrer_domain AS referrer_domain, s.channel AS channel,
    s.utm_source AS utm_source, s.utm_medium AS utm_medium, s.utm_campaign AS utm_campaign,
    s.country AS country, s.region AS region, s.device_class AS device_class, s.browser AS browser, s.os AS os,
    s.page_language AS page_language, s.browser_language AS browser_language,
    toUInt8(s.is_bounce) AS is_bounce, toUInt8(s.is_bot) AS is_bot
FROM {database}.sessions AS s
COMMENT 'Visits as an analyst sees them';

-- Measurements have views of their own: their data holds ids of page views.
CREATE VIEW IF NOT EXISTS {database}.analyst_events {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    toDate(e.occurred_at) AS day,
    reinterpretAsUUID(substring(SHA256(concat({_pseudonym_key:String}, 's', toString(e.session_id))), 1, 16)) AS session_id,
    reinterpretAsUUID(substring(SHA256(concat({_pseudonym_key:String}, 'v', toString(e.visitor_id))), 1, 16)) AS visitor_id,
    toDateTime(e.occurred_at, 'UTC') AS occurred_at,
    e.kind AS kind, e.event_type AS event_type, e.page AS page, e.page_referrer AS page_referrer,
    e.not_found AS not_found, e.element AS element, e.element_category AS element_category,
    e.event_data AS event_data, e.channel AS channel, e.country AS country, e.device_class AS device_class,
    e.is_bot AS is_bot
FROM {database}.events AS e
WHERE e.kind != 'measurement'
COMMENT 'Events as an analyst sees them';

CREATE VIEW IF NOT EXISTS {database}.analyst_link_opens_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    toDate(o.occurred_at) AS day, o.leads_to AS leads_to, o.exclusion AS exclusion, o.channel AS channel,
    o.country AS country, o.device_class AS device_class,
    count() AS requests,
    uniqExactIf(o.visitor_id, o.visitor_id != toUUID('00000000-0000-0000-0000-000000000000')) AS visitors
FROM {database}.link_opens AS o
GROUP BY day, leads_to, exclusion, channel, country, device_class
COMMENT 'Opens of all links together, as an analyst sees them';

CREATE VIEW IF NOT EXISTS {database}.analyst_page_views_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, page, is_bot, page_views, sessions, visitors
FROM {database}.page_views_daily
COMMENT 'The view page_views_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_referrers_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, channel, referrer_domain, utm_source, utm_medium, utm_campaign, is_bot, sessions, visitors, page_views
FROM {database}.referrers_daily
COMMENT 'The view referrers_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_audience_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, country, device_class, is_bot, sessions, visitors, page_views
FROM {database}.audience_daily
COMMENT 'The view audience_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_languages_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, page_language, browser_language, toUInt8(l.is_bot) AS is_bot, sessions, visitors, page_views
FROM {database}.languages_daily AS l
COMMENT 'The view languages_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_page_engagement_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, page, is_bot, page_views, engaged_seconds, median_engaged_seconds, scroll_depth
FROM {database}.page_engagement_daily
COMMENT 'The view page_engagement_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_web_vitals_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, page, device_class, is_bot, metric, page_loads, p75, good, needs_improvement, poor
FROM {database}.web_vitals_daily
COMMENT 'The view web_vitals_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_links_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, link, target, page, is_bot, clicks, sessions
FROM {database}.links_daily
COMMENT 'The view links_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_not_found_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, page, page_referrer, is_bot, page_views, sessions
FROM {database}.not_found_daily
COMMENT 'The view not_found_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_consent_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, decision, method, decisions
FROM {database}.consent_daily
COMMENT 'The view consent_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_visits_without_consent_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, page, reason, sessions, page_views, clicks, custom_events
FROM {database}.visits_without_consent_daily
COMMENT 'The view visits_without_consent_daily as an analyst sees it';

CREATE VIEW IF NOT EXISTS {database}.analyst_server_events_daily {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT day, event_type, events
FROM {database}.server_events_daily
COMMENT 'The view server_events_daily as an analyst sees it';
