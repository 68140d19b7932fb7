-- Which links people opened in a span, of all accounts: what mails and other notices about opens begin with.
-- It names links and owners alone; how often, where and by how many is asked of each owner's view.
CREATE VIEW IF NOT EXISTS {database}.opened_links {on_cluster}
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT o.account_id AS account_id, o.link_id AS link_id, max(o.occurred_at) AS last_at
FROM {database}.link_opens AS o
WHERE o.exclusion = ''
  AND o.occurred_at >= {from:DateTime64(3, 'UTC')} AND o.occurred_at < {until:DateTime64(3, 'UTC')}
  -- An open as in owner_opens: a click on a link elsewhere; of files and pages of ours, what was seen.
  AND (o.leads_to = 'external' OR o.event_id IN
  (
      SELECT p.event_id FROM {database}.link_reports AS p
      WHERE p.opened_at >= {from:DateTime64(3, 'UTC')} AND p.opened_at < {until:DateTime64(3, 'UTC')}
        AND p.reported_at >= {from:DateTime64(3, 'UTC')} - INTERVAL 1 MINUTE
  ))
GROUP BY account_id, link_id
COMMENT 'Links that people opened in a span of time, and their owners';
