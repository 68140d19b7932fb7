-- The search that ends an erasure: the service reads every row of every table, and looks for a value that
-- it planted itself as well. A store in which that is not found is unknown, never clean.
create table ledger.search_decoy (
  decoy_id   uuid        primary key,
  words      text,
  document   jsonb,
  bytes      bytea,
  planted_at timestamptz not null default clock_timestamp()
);
grant select, insert, delete on ledger.search_decoy to ledger_app;

comment on table ledger.search_decoy is 'Values that a search after an erasure plants to see whether it finds them. Kept: while the search runs; what a process left that ended, an hour';
comment on column ledger.search_decoy.decoy_id is 'operational: Names the search';
comment on column ledger.search_decoy.words is 'operational: A random value in a text';
comment on column ledger.search_decoy.document is 'operational: A random value in JSON';
comment on column ledger.search_decoy.bytes is 'operational: A random value as bytes';
comment on column ledger.search_decoy.planted_at is 'operational: When it was planted';
grant select on all tables in schema ledger to ledger_app;
alter default privileges in schema ledger grant select on tables to ledger_app;
