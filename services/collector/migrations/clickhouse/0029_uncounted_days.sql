-- A day of what is stored is counted as long as it has a row among the counts: what changes the rows of a day drops its
-- counts first (store-days.ts, drop-days.ts), and the worker compares their sums in each pass. So the engine answers from
-- what it knows of its parts, where 0028 added up all rows of the range for each question.
CREATE OR REPLACE VIEW {database}.uncounted_days {on_cluster} AS
SELECT kept.day AS day
FROM
(
    SELECT s.day AS day FROM {database}.stored_sessions AS s GROUP BY day
    UNION ALL
    SELECT p.day AS day FROM {database}.stored_page_views AS p GROUP BY day
) AS kept
WHERE kept.day GLOBAL NOT IN (SELECT v.day FROM {database}.stored_visitors AS v GROUP BY v.day)
UNION ALL
SELECT a.session_day AS day
FROM {database}.sessions_agg AS a
WHERE a.mark = toUUID('00000000-0000-0000-0000-000000000000')
    AND a.session_day GLOBAL NOT IN (SELECT d.day FROM {database}.stored_sessions AS d GROUP BY d.day)
GROUP BY day
UNION ALL
SELECT toDate(e.occurred_at) AS day
FROM {database}.events AS e
WHERE e.kind = 'page_view'
    AND toDate(e.occurred_at) GLOBAL NOT IN (SELECT d.day FROM {database}.stored_page_views AS d GROUP BY d.day)
GROUP BY day
COMMENT 'Days whose visitors are not counted in advance';
