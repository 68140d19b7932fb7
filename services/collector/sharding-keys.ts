const byVisitor = "cityHash64(visitor_id)";
const byOwner = "cityHash64(account_id)";
const byCounter = "cityHash64(metric, page)";
const byValue = "cityHash64(property, value)";
/** Made beside the rows that they count, wherever these are: no question may leave out a shard. */
const besideRows = "rand()";

/**
 * By what each table of ClickHouse is divided among the shards of a cluster. All rows of a visitor are on one
 * shard, so that their sessions are put together, read and erased there; all opens and reports of an owner's
 * links on one, so that what is asked of an owner is asked of one shard.
 */
export const shardingKeys = {
  events: byVisitor,
  events_in: byVisitor,
  sessions_agg: byVisitor,
  stored_sessions: byVisitor,
  stored_sessions_next: byVisitor,
  stored_page_views: byVisitor,
  stored_page_views_next: byVisitor,
  stored_visitors: byValue,
  stored_visitors_next: byValue,
  page_views_agg: besideRows,
  referrers_agg: besideRows,
  audience_agg: besideRows,
  counters_daily: byCounter,
  counters_in: byCounter,
  link_opens: byOwner,
  opens_in: byOwner,
  link_reports: byOwner,
  reports_in: byOwner,
  // On the first shard.
  migration: "0",
} as const;
