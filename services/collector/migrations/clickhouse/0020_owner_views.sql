-- The only way to the rows of owners. Each view needs `accounts`, their links and a span of time, so that no question
-- can forget whose opens it is about; it reads with the rights of the migrations' user, and the user of
-- the insights service may read these views alone.

-- Every request for some links of an account (of several accounts, for what is shown live).
CREATE VIEW IF NOT EXISTS {database}.owner_opens {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    o.account_id AS account_id,
    o.link_id AS link_id,
    o.event_id AS event_id,
    o.occurred_at AS at,
    o.exclusion AS exclusion,
    multiIf(o.leads_to = 'external', 'clicked', r.reported = 1, 'seen', 'fetched') AS state,
    -- An open by a person: a click on a link elsewhere; of files and pages of ours, what was seen.
    o.exclusion = '' AND (o.leads_to = 'external' OR r.reported = 1) AS is_open,
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
    WHERE p.account_id IN {accounts:Array(UUID)}
      AND p.link_id IN {links:Array(UUID)}
      AND p.opened_at >= {from:DateTime64(3, 'UTC')} AND p.opened_at < {until:DateTime64(3, 'UTC')}
      -- No report arrives before its open: older months are not read.
      AND p.reported_at >= {from:DateTime64(3, 'UTC')} - INTERVAL 1 MINUTE
    GROUP BY event_id
) AS r ON r.event_id = o.event_id
WHERE o.account_id IN {accounts:Array(UUID)}
  AND o.link_id IN {links:Array(UUID)}
  AND o.occurred_at >= {from:DateTime64(3, 'UTC')} AND o.occurred_at < {until:DateTime64(3, 'UTC')}
COMMENT 'Requests for the links of an owner, with what was seen of them';

-- Where people were who opened a link: a city only if five visitors were there in the whole span.
CREATE VIEW IF NOT EXISTS {database}.owner_places {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    country, region,
    if(visitors >= 5, city, '') AS city,
    sum(opens) AS opens,
    -- A visitor of two places of a region counts once.
    uniqExactMerge(people) AS people
FROM
(
    SELECT
        o.country AS country, o.region AS region, o.city AS city,
        count() AS opens,
        uniqExactIf(o.visitor_id, o.visitor_id != toUUID('00000000-0000-0000-0000-000000000000')) AS visitors,
        uniqExactStateIf(o.visitor_id, o.visitor_id != toUUID('00000000-0000-0000-0000-000000000000')) AS people
    FROM {database}.link_opens AS o
    WHERE o.account_id IN {accounts:Array(UUID)} AND o.link_id IN {links:Array(UUID)} AND o.exclusion = ''
      AND o.occurred_at >= {from:DateTime64(3, 'UTC')} AND o.occurred_at < {until:DateTime64(3, 'UTC')}
      AND (o.leads_to = 'external' OR o.event_id IN
      (
          SELECT p.event_id FROM {database}.link_reports AS p
          WHERE p.account_id IN {accounts:Array(UUID)} AND p.link_id IN {links:Array(UUID)}
            AND p.opened_at >= {from:DateTime64(3, 'UTC')} AND p.opened_at < {until:DateTime64(3, 'UTC')}
            AND p.reported_at >= {from:DateTime64(3, 'UTC')} - INTERVAL 1 MINUTE
      ))
      AND (empty({country:String}) OR o.country = {country:String})
      AND (empty({device:String}) OR o.device_class = {device:String})
      AND (empty({source:String})
          OR if(o.referrer_domain = '', 'direct', o.referrer_domain) = {source:String})
    GROUP BY country, region, city
)
GROUP BY country, region, city
COMMENT 'Places of the people who opened a link; a city from five visitors up';
