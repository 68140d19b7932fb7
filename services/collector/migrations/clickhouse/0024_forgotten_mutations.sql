-- The text of a mutation names what it deletes: ids, and words of one person. Of those that are done the
-- last one alone is kept, and the last one of an erasure names nothing (erase/delete-where.ts).
ALTER TABLE {database}.events {on_cluster} MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE {database}.sessions_agg {on_cluster} MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE {database}.referrers_agg {on_cluster} MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE {database}.page_views_agg {on_cluster} MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE {database}.link_opens {on_cluster} MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE {database}.link_reports {on_cluster} MODIFY SETTING finished_mutations_to_keep = 1;
