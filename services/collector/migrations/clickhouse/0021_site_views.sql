-- What administrators see of the site's own traffic: the insights service reads it through these views
-- alone. Of visits that consented, without programs; and of the others the daily counters.
CREATE VIEW IF NOT EXISTS {database}.site_visits {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    s.session_id AS session_id, s.visit AS visit, s.visitor_id AS visitor_id, s.started_at AS at,
    s.duration_seconds AS seconds, s.page_views AS views, s.is_bounce AS is_bounce,
    s.channel AS channel, s.utm_campaign AS campaign, s.country AS country, s.device_class AS device
FROM {database}.sessions AS s
-- A visit may begin on a later day than its session.
WHERE s.day BETWEEN toDate({from:DateTime64(3, 'UTC')}) - 1 AND toDate({until:DateTime64(3, 'UTC')})
  AND s.started_at >= {from:DateTime64(3, 'UTC')} AND s.started_at < {until:DateTime64(3, 'UTC')}
  AND s.is_bot = 0
COMMENT 'Visits of the site that began in a span of time';

CREATE VIEW IF NOT EXISTS {database}.site_views {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    e.session_id AS session_id, e.kind AS kind, e.event_type AS event_type, e.page AS page,
    e.channel AS channel, e.page_language AS language
FROM {database}.events AS e
WHERE toDate(e.occurred_at) BETWEEN toDate({from:DateTime64(3, 'UTC')}) AND toDate({until:DateTime64(3, 'UTC')})
  AND e.occurred_at >= {from:DateTime64(3, 'UTC')} AND e.occurred_at < {until:DateTime64(3, 'UTC')}
  AND e.is_bot = 0 AND e.kind IN ('session_start', 'page_view', 'custom')
COMMENT 'Pages, languages and events of visits in a span of time';

-- Days of the counters are UTC.
CREATE VIEW IF NOT EXISTS {database}.site_counters {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT c.metric AS metric, c.label AS label, c.detail AS detail, sum(c.count) AS counted
FROM {database}.counters_daily AS c
WHERE c.mark = toUUID('00000000-0000-0000-0000-000000000000')
  AND c.day BETWEEN {first:Date} AND {last:Date} AND c.metric IN ('page_view', 'consent', 'server_event')
GROUP BY metric, label, detail
COMMENT 'Numbers by day that belong to no visit: views without consent, decisions, events of servers';
