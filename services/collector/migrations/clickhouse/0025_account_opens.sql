-- Every request for the links of an account that is stored, of deleted links too: for the copy of their data that
-- account holders may ask for. The columns are those of owner_opens; it names one account, never several.
CREATE VIEW IF NOT EXISTS {database}.account_opens {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    o.link_id AS link_id,
    o.event_id AS event_id,
    o.occurred_at AS at,
    o.exclusion AS exclusion,
    multiIf(o.leads_to = 'external', 'clicked', r.reported = 1, 'seen', 'fetched') AS state,
    o.visitor_id AS visitor_id,
    r.seconds AS seconds,
    r.pages AS pages,
    r.pages_total AS pages_total,
    r.downloaded AS downloaded,
    o.country AS country,
    o.region AS region,
    o.device_class AS device,
    o.browser AS browser,
    if(o.referrer_domain = '', 'direct', o.referrer_domain) AS source,
    o.channel AS channel
FROM {database}.link_opens AS o
LEFT JOIN
(
    SELECT
        event_id,
        toUInt8(1) AS reported,
        max(p.seconds) AS seconds,
        max(p.pages) AS pages,
        max(p.pages_total) AS pages_total,
        max(p.downloaded) AS downloaded
    FROM {database}.link_reports AS p
    WHERE p.account_id = {account:UUID}
    GROUP BY event_id
) AS r ON r.event_id = o.event_id
WHERE o.account_id = {account:UUID} AND o.occurred_at < {until:DateTime64(3, 'UTC')}
COMMENT 'Every stored request for the links of one account, with what was seen of them'
