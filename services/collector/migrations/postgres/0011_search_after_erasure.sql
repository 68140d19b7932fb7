-- The search that ends an erasure reads every row of every table, and looks for a value that it planted
-- itself as well.
create table collector.search_decoy (
  decoy_id   uuid        primary key,
  words      text,
  document   jsonb,
  bytes      bytea,
  planted_at timestamptz not null default clock_timestamp()
);
grant select, insert, delete on collector.search_decoy to collector_app;
grant select on all tables in schema collector to collector_app;
alter default privileges in schema collector grant select on tables to collector_app;

comment on table collector.search_decoy is 'Values that a search after an erasure plants to see whether it finds them. Kept: while the search runs; what a process left that ended, an hour';
comment on column collector.search_decoy.decoy_id is 'operational: Names the search';
comment on column collector.search_decoy.words is 'operational: A random value in a text';
comment on column collector.search_decoy.document is 'operational: A random value in JSON';
comment on column collector.search_decoy.bytes is 'operational: A random value as bytes';
comment on column collector.search_decoy.planted_at is 'operational: When it was planted';

-- A search can read the quarantine of its own instance alone.
alter table collector.instance add column quarantined int not null default 0;
comment on column collector.instance.quarantined is 'operational: Files in its quarantine';
