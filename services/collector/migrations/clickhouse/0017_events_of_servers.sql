-- What a server reports of a visit says nothing of device and place: its class of device is empty, which
-- yields to that of the visit's other events. Such a row must not make a second audience or arrival of
-- its visit session. Rows with a mark (see events_in) have no class of device either.

ALTER TABLE {database}.audience_mv {on_cluster} MODIFY QUERY
SELECT
    e.mark AS mark,
    toDate(e.session_started_at) AS day,
    e.country AS country,
    e.device_class AS device_class,
    e.is_bot AS is_bot,
    countIf(e.kind = 'page_view') AS page_views,
    uniqState(e.session_id) AS sessions,
    uniqState(e.visitor_id) AS visitors
FROM {database}.events_in AS e
WHERE e.target IN ('', 'audience_agg')
  AND (e.device_class != '' OR e.mark != toUUID('00000000-0000-0000-0000-000000000000'))
GROUP BY mark, day, country, device_class, is_bot;

ALTER TABLE {database}.referrers_mv {on_cluster} MODIFY QUERY
SELECT
    e.mark AS mark,
    toDate(e.session_started_at) AS day,
    e.channel AS channel,
    e.referrer_domain AS referrer_domain,
    e.utm_source AS utm_source,
    e.utm_medium AS utm_medium,
    e.utm_campaign AS utm_campaign,
    e.is_bot AS is_bot,
    countIf(e.kind = 'page_view') AS page_views,
    uniqState(e.session_id) AS sessions,
    uniqState(e.visitor_id) AS visitors
FROM {database}.events_in AS e
WHERE e.target IN ('', 'referrers_agg')
  AND (e.device_class != '' OR e.mark != toUUID('00000000-0000-0000-0000-000000000000'))
GROUP BY mark, day, channel, referrer_domain, utm_source, utm_medium, utm_campaign, is_bot;

ALTER TABLE {database}.events {on_cluster}
    COMMENT COLUMN device_class 'coarse: desktop, mobile, tablet, tv, console or other; empty when a server reported the event',
    COMMENT COLUMN time_source 'operational: device (or the server that reported the event), corrected (by the offset of its clock), arrival (none was stated) or replaced (the stated one was impossible); empty before this was recorded';
